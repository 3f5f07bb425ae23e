// Accounts of the clone that sign in, as the app's own sessions.
#pragma once

#include <string>

#include "verify/clone/clone_connection.hpp"

namespace svc::devapi::verification {

// The token of a new session of this account, good for an hour, its second factor shown.
std::string begin_app_session(CloneConnection& connection, const std::string& account);

}  // namespace svc::devapi::verification
