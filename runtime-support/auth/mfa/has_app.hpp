// Tells pages whether sign-ins of an account ask for a code.
#pragma once

#include <string>

#include "auth/context.hpp"

namespace svc::auth::mfa {

// True if the account has a confirmed authenticator app. Also false if the database does not
// answer.
Task<bool> has_factor_app(const Context& in, std::string account);

}  // namespace svc::auth::mfa
