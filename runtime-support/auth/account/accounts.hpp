// Handlers of an account's own routes.
#pragma once

#include "auth/context.hpp"

namespace svc::auth::account {

Task<Done> signup(Call& call);   // POST /auth/signup
Task<Done> login(Call& call);    // POST /auth/login
Task<Done> logout(Call& call);   // POST /auth/logout
Task<Done> me(Call& call);       // GET /auth/me
Task<Done> options(Call& call);  // GET /auth/signup-options

}  // namespace svc::auth::account
