// Workspaces whose owners demand a second factor of every member.
#pragma once

#include <set>
#include <string>

#include "platform/account/credentials.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

void set_demand(Store& store, const std::string& workspace_id, bool required);

// True if the workspace demands a factor that the caller does not have: none was shown in the
// session, or the owner of the token has none.
bool kept_out(Store& store, const Caller& caller, const std::string& workspace_id);

// Addresses of its members that have a factor.
std::set<std::string> with_factor(Store& store, const std::string& workspace_id);

}  // namespace svc::devapi
