// The code that a page of the app gets after a sign-in with a provider, and exchanges for a
// session.
#pragma once

#include <string>

#include "auth/answer.hpp"
#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// Makes a code for the account, valid once and for two minutes. `how`: the way to sign in, for the
// record. The browser keeps a secret, and the code is stored with its hash. So a code that somebody
// else obtained is of no use in this browser.
Task<identity::Result<std::string>> make_code(const Call& call, const std::string& account,
                                              const std::string& how);

// POST /auth/oauth/complete {code}
Task<Done> oauth_complete(Call& call);

}  // namespace svc::auth::oidc
