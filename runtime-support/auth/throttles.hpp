// The hashing threads and limits of sign-in, which all io threads of a process share.
#pragma once

#include <chrono>

#include "auth/password/password.hpp"
#include "auth/settings.hpp"
#include "http/exchange.hpp"
#include "identity/budget.hpp"
#include "identity/result.hpp"

namespace svc::auth {

struct Throttles {
    explicit Throttles(const Settings& settings)
        : signups(settings.rate_signup, std::chrono::hours(1)),
          logins(settings.rate_login, std::chrono::minutes(15)),
          login_addresses(settings.rate_login * kLoginsTogether, std::chrono::minutes(15)),
          login_accounts(settings.rate_login * kLoginsTogether, std::chrono::minutes(15)),
          oauth(kOauth, std::chrono::minutes(5)),
          codes(settings.rate_login, std::chrono::minutes(15)),
          mails(settings.rate_mail, std::chrono::hours(1)),
          mail_senders(settings.rate_mail * kMailsAnAddress, std::chrono::hours(1)),
          passkeys(kOauth, std::chrono::minutes(5)),
          orgs(kOrgs, std::chrono::hours(1)) {}

    // Limits for one address with any account, and for one account from any address.
    static constexpr unsigned kLoginsTogether = 10;
    static constexpr unsigned kOauth = 120;
    static constexpr unsigned kOrgs = 20;
    static constexpr unsigned kMailsAnAddress = 10;  // the limit of this many accounts

    password::Passwords passwords;
    identity::Throttle signups;  // by address
    identity::Throttle logins;   // failures by account and address together
    identity::Throttle login_addresses, login_accounts;
    identity::Throttle oauth;         // steps of signing in with a provider, by address
    identity::Throttle codes;         // wrong ones of a second factor, by account
    identity::Throttle mails;         // by account
    identity::Throttle mail_senders;  // by address
    identity::Throttle passkeys;      // challenges to sign in with a passkey, by address
    identity::Throttle orgs;          // organisations that are made, by account
};

// Counts one event. Refuses if the limit is exceeded.
identity::Result<void> take(identity::Throttle& throttle, std::string_view key,
                            std::string_view message);
// Counts by the client's address, as http::counted_network defines it.
identity::Result<void> take_from(identity::Throttle& throttle, const http::Exchange& exchange,
                                 std::string_view message);
// A step of a sign-in that is counted by address.
identity::Result<void> take_step(identity::Throttle& throttle, const http::Exchange& exchange);

}  // namespace svc::auth
