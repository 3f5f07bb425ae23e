// The account of a person whom a provider names.
#pragma once

#include <string>

#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// Returns the id of the account that is linked to this identity; otherwise of the account with the
// address, if the provider has verified the address; otherwise of a new account, if the app accepts
// sign-ups. Otherwise refuses.
Task<identity::Result<std::string>> account_of(const Call& call, const Person& person);

}  // namespace svc::auth::oidc
