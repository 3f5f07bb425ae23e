// The passwords that attackers try first: the top of published lists of leaked passwords.
#pragma once

#include <string_view>

namespace svc::auth::password {

// True for a common password, in any case of its letters.
bool is_common_password(std::string_view password);

}  // namespace svc::auth::password
