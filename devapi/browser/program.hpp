// How the browser's program is started.
#pragma once

#include "common/child.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

// In the sandbox where there is one. Throws std::runtime_error where it is required and missing.
Child browser_program(const Config& config);

}  // namespace svc::devapi
