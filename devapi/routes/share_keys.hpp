#pragma once

#include <string>
#include <vector>

#include "calls/context.hpp"
#include "platform/members.hpp"

namespace svc::devapi {

// Brings a project's keys from the platform to its app. Blocks until the app server has read them.
void share_keys(Context& context, const std::string& project);

// Of keys that the platform has deleted: neither svcd nor an app takes them any more.
void forget_keys(Context& context, const std::vector<EndedKey>& keys);

}  // namespace svc::devapi
