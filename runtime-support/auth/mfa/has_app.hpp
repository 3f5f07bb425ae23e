// Says, for pages, whether an account's sign-ins ask for a code.
#pragma once

#include <string>

#include "auth/context.hpp"

namespace svc::auth::mfa {

// A confirmed authenticator app. False too where the database cannot be asked.
Task<bool> has_factor_app(const Context& in, std::string account);

}  // namespace svc::auth::mfa
