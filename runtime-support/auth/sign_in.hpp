// The sign-in API: section 4.3 of the interface. Each route gets a request that passed the gate,
// and writes its answer or gives the refusal.
#pragma once

#include <string>
#include <string_view>

#include "auth/account_store.hpp"
#include "auth/body.hpp"
#include "auth/password.hpp"
#include "http/exchange.hpp"
#include "identity/budget.hpp"
#include "identity/result.hpp"
#include "identity/session_store.hpp"
#include "ops/settings.hpp"
#include "svc/app.hpp"

namespace svc::auth {

using Done = identity::Result<void>;

// What all io threads of a process count and share.
struct SharedSignIn {
    explicit SharedSignIn(const Settings& settings);
    Passwords passwords;
    identity::Throttle signups;  // by address
    identity::Throttle logins;   // failures by account and address together
};

class SignIn {
  public:
    SignIn(const App& app, const Settings& settings, identity::SessionStore& sessions,
           db::Pool& system, SharedSignIn& shared);

    Task<Done> signup(http::Exchange& exchange, const AppKey& key);   // POST /auth/signup
    Task<Done> login(http::Exchange& exchange, const AppKey& key);    // POST /auth/login
    Task<Done> logout(http::Exchange& exchange, const AppKey& key);   // POST /auth/logout
    Task<Done> me(http::Exchange& exchange, const AppKey& key);       // GET /auth/me
    Task<Done> options(http::Exchange& exchange, const AppKey& key);  // GET /auth/signup-options

  private:
    identity::Result<NewAccount> read_signup(std::string_view body) const;
    identity::Result<std::string_view> signup_persona(const Texts& body) const;
    identity::Result<void> check_password(std::string_view password) const;
    Task<identity::Result<identity::Account>> check_login(const Texts& body);
    // {ok, token, user}, and the token as cookie.
    void answer_signed_in(http::Exchange& exchange, const User& user, const std::string& token);
    void set_cookie(http::Exchange& exchange, std::string_view token, unsigned max_age) const;

    const App& app_;
    const Settings& settings_;
    identity::SessionStore& sessions_;
    AccountStore accounts_;
    SharedSignIn& shared_;
};

// One of the routes above.
using SignInRoute = Task<Done> (SignIn::*)(http::Exchange&, const AppKey&);

}  // namespace svc::auth
