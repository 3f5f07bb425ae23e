// The rules for passwords of an app.
#pragma once

#include <string_view>

#include "identity/result.hpp"
#include "svc/app.hpp"

namespace svc::auth::password {

// Refuses with WEAK_PASSWORD and the reason. `member`: the member of the body.
identity::Result<void> check_password(const App& app, std::string_view password,
                                      std::string_view member);

}  // namespace svc::auth::password
