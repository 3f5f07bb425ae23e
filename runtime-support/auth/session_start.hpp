// The end of every way to sign in: password, mailed link, provider.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "identity/user/account.hpp"

namespace svc::auth {

struct SignInResult {
    std::string token = {};    // of the session; empty: the sign-in is not complete yet
    std::string pending = {};  // the token with which the caller shows a second factor
    bool code = false;         // a code of an authenticator app is such a factor
};

// Begins a session and answers {ok, token, user} with the cookie; the session that the browser had
// before ends. Where the account has a second factor it answers {ok, needsMfa, pending, user}
// instead; where its persona must have one and it has not, the session may only enrol it: {ok,
// token, user, mfaEnrollRequired}. `how`: for the record.
Task<identity::Result<SignInResult>> start_session(const Call& call,
                                                   const identity::Account& account,
                                                   std::string_view how);

// Begins a session without asking for anything more. `second_factor`: it was shown, or is not
// needed.
Task<identity::Result<SignInResult>> begin_session(const Call& call,
                                                   const identity::Account& account,
                                                   std::string_view how, bool second_factor);

}  // namespace svc::auth
