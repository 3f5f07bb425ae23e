// The account of a person whom a provider names.
#pragma once

#include <string>

#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// The id of: the account that this identity was linked to before; else that of the address, where
// the provider says that it verified it; else a new one, where the app takes sign-ups. A refusal
// if it is not one of these.
Task<identity::Result<std::string>> account_of(const Call& call, const Person& person);

}  // namespace svc::auth::oidc
