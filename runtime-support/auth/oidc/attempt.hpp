// A sign-in with a provider between its start and its callback. Its data is sealed in a cookie of
// the browser that started it, so only that browser can finish it.
#pragma once

#include <optional>

#include "auth/answer.hpp"
#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// Sets the cookie, and the end of the attempt: ten minutes from now.
void keep_attempt(const Call& call, Attempt& attempt);
// Returns none if there is no cookie that this app sealed, or if the attempt has ended.
std::optional<Attempt> kept_attempt(const Call& call);
void forget_attempt(const Call& call);

}  // namespace svc::auth::oidc
