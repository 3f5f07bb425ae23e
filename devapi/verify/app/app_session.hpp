// Makes sessions of the app for accounts of the clone.
#pragma once

#include <string>

#include "verify/clone/clone_connection.hpp"

namespace svc::devapi::verification {

// The token of a new session of this account, valid for an hour, with its second factor shown.
// `org`: the organisation that was chosen in it; empty: none.
std::string begin_app_session(CloneConnection& connection, const std::string& account,
                              const std::string& org = {});

}  // namespace svc::devapi::verification
