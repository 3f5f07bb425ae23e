// The end of every way to sign in: password, mailed link, provider.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "identity/account.hpp"

namespace svc::auth {

struct Started {
    std::string token;  // of the session; empty: something is still asked for
};

// Begins a session of the account and answers {ok, token, user} with the cookie. `how`: for the record.
Task<identity::Result<Started>> start_session(const Call& call, const identity::Account& account,
                                              std::string_view how);

}  // namespace svc::auth
