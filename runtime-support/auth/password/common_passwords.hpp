// The passwords that are tried first, as published lists of leaked ones have them at their top.
#pragma once

#include <string_view>

namespace svc::auth::password {

// True for a common password, in any case of its letters.
bool is_common_password(std::string_view password);

}  // namespace svc::auth::password
