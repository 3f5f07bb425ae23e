// POST /auth/login.
#include "auth/account/accounts.hpp"
#include "auth/account_store.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/email.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/messages.hpp"
#include "auth/session_start.hpp"
#include "http/request/proxy.hpp"

namespace svc::auth::account {
namespace {

constexpr std::size_t kMaxEmail = 254;

// Failures are counted by the account and the client's address together, and by each alone.
struct Failures {
    std::string pair, account, address;
};

// The address as sent if it is not one, cut to a size worth keeping.
Failures failures_of(std::string_view email, std::string_view address) {
    Failures out;
    out.account = normalised_email(email).value_or(std::string(email.substr(0, kMaxEmail)));
    out.address = http::counted_network(address);
    out.pair = out.account + '\n' + out.address;
    return out;
}

identity::Result<void> count(Throttles& throttles, const Failures& failures) {
    constexpr std::string_view kMessage = "Too many failed sign-ins. Try again later.";
    if (auto fit = take(throttles.logins, failures.pair, kMessage); !fit) return fit.error();
    if (auto fit = take(throttles.login_addresses, failures.address, kMessage); !fit)
        return fit.error();
    return take(throttles.login_accounts, failures.account, kMessage);
}

void uncount(Throttles& throttles, const Failures& failures) {
    throttles.logins.give_back(failures.pair);
    throttles.login_addresses.give_back(failures.address);
    throttles.login_accounts.give_back(failures.account);
}

Task<> note_failure(const Call& call, std::string_view email, std::string_view why) {
    const auto valid = normalised_email(email);
    AuditRow::Entry entry;
    entry.event = "login_failed";
    if (valid) entry.email = *valid;
    entry.detail = why;
    co_await audit(call, entry);
}

// Only a caller who knows the password learns what is wrong with the account.
Task<identity::Result<identity::Account>> check_login(const Call& call, const Texts& body,
                                                      const Failures& failures) {
    std::optional<identity::Account> account;
    if (const auto email = normalised_email(text(body, "email"))) {
        AccountStore accounts(call.in.system);
        auto found = co_await accounts.find(*email);
        if (!found) co_return found.error();
        account = std::move(*found);
    }
    const std::string hash = account ? account->password_hash : std::string();
    const password::Requester requester =
        password::requester_of(failures.account, failures.address);
    const auto fits = co_await call.in.throttles.passwords.fits(
        requester, std::string(text(body, "password")), hash);
    if (!fits) co_return fits.error();
    if (!*fits)
        co_return identity::refusal(Code::invalid_credentials, "E-mail or password is wrong.");
    if (account->disabled) co_return identity::refusal(Code::account_disabled, kAccountDisabled);
    if (call.in.app.auth.verify_email && !account->verified)
        co_return identity::refusal(Code::email_not_verified, kConfirmFirst);
    co_return std::move(*account);
}

}  // namespace

Task<Done> login(Call& call) {
    if (!call.in.app.auth.password) co_return link::no_passwords();
    const auto body = read_texts(call.exchange.body(), {"email", "password"});
    if (!body) co_return body.error();
    if (text(*body, "email").empty() || text(*body, "password").empty())
        co_return identity::refusal(Code::invalid_credentials_missing,
                                    "Send \"email\" and \"password\".");

    // Counted before the answer is known, so that parallel tries cannot pass the limit.
    Throttles& throttles = call.in.throttles;
    const Failures failures = failures_of(text(*body, "email"), call.exchange.remote());
    if (auto fit = count(throttles, failures); !fit) {
        const identity::Refusal refused = fit.error();
        co_await note_failure(call, text(*body, "email"), name(Code::rate_limited));
        co_return refused;
    }
    const auto account = co_await check_login(call, *body, failures);
    if (!account) {
        const identity::Refusal refused = account.error();
        if (refused.error.code != Code::invalid_credentials) uncount(throttles, failures);
        co_await note_failure(call, text(*body, "email"), name(refused.error.code));
        co_return refused;
    }
    uncount(throttles, failures);
    throttles.logins.reset(failures.pair);
    const auto started = co_await start_session(call, *account, "password");
    if (!started) co_return started.error();
    co_return Done();
}

}  // namespace svc::auth::account
