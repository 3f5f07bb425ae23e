#pragma once

#include <string>

#include "http/context.hpp"

namespace svc::devapi {

// Brings a project's keys from the platform to its app. Blocks until the app server has read them.
void share_keys(Context& context, const std::string& project);

}  // namespace svc::devapi
