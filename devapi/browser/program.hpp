// How the browser's program is started.
#pragma once

#include <string>

#include "common/child.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

// The path of its log.
std::string browser_log(const Config& config);
// Starts in the sandbox if there is one. Throws std::runtime_error if the sandbox is required and
// missing.
Child browser_program(const Config& config);

}  // namespace svc::devapi
