// A sign-in with a provider between its start and its callback. What it must remember travels
// sealed in a cookie of the browser that began it, so nobody else can end it.
#pragma once

#include <optional>

#include "auth/answer.hpp"
#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// Sets the cookie, and when the attempt ends: after ten minutes.
void keep_attempt(const Call& call, Attempt& attempt);
// None without a cookie that this app sealed, and none that has ended.
std::optional<Attempt> kept_attempt(const Call& call);
void forget_attempt(const Call& call);

}  // namespace svc::auth::oidc
