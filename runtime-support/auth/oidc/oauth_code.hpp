// The code that a page of the app gets after a sign-in with a provider, and exchanges for a
// session.
#pragma once

#include <string>

#include "auth/answer.hpp"
#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// Makes a code for the account, valid once and for two minutes. `how`: the way to sign in, for the
// record. The browser that came back keeps a secret, whose hash stands with the code: a page of the
// app that somebody was led to with another's code does not have it.
Task<identity::Result<std::string>> make_code(const Call& call, const std::string& account,
                                              const std::string& how);

// POST /auth/oauth/complete {code}
Task<Done> oauth_complete(Call& call);

}  // namespace svc::auth::oidc
