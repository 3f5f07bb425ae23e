// POST /auth/login.
#include "auth/account_store.hpp"
#include "auth/accounts.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/email.hpp"
#include "auth/session_start.hpp"

namespace svc::auth {
namespace {

constexpr std::size_t kMaxEmail = 254;

// The address as sent where it is none, cut to a size worth keeping.
std::string email_or_text(std::string_view email) {
    return normalised_email(email).value_or(std::string(email.substr(0, kMaxEmail)));
}

// What is wrong with an account is told to whoever knows its password, and to nobody else.
Task<identity::Result<identity::Account>> check_login(const Call& call, const Texts& body) {
    std::optional<identity::Account> account;
    if (const auto email = normalised_email(text(body, "email"))) {
        AccountStore accounts(call.in.system);
        auto found = co_await accounts.find(*email);
        if (!found) co_return found.error();
        account = std::move(*found);
    }
    const std::string hash = account ? account->password_hash : std::string();
    const auto fits =
        co_await call.in.throttles.passwords.fits(std::string(text(body, "password")), hash);
    if (!fits) co_return fits.error();
    if (!*fits)
        co_return identity::refusal(Code::invalid_credentials, "E-mail or password is wrong.");
    if (account->disabled)
        co_return identity::refusal(Code::account_disabled, "This account is disabled.");
    if (call.in.app.auth.verify_email && !account->verified)
        co_return identity::refusal(Code::email_not_verified, "Confirm your e-mail address first.");
    co_return std::move(*account);
}

}  // namespace

Task<Done> login(Call& call) {
    if (!call.in.app.auth.password)
        co_return identity::refusal(Code::not_found, "This app does not sign in with passwords.");
    const auto body = read_texts(call.exchange.body(), {"email", "password"});
    if (!body) co_return body.error();
    if (text(*body, "email").empty() || text(*body, "password").empty())
        co_return identity::refusal(Code::invalid_credentials_missing,
                                    "Send \"email\" and \"password\".");

    // Counted before the answer is known, so that many tries at once are no way around the limit.
    const std::string email = email_or_text(text(*body, "email"));
    const std::string failures = email + '\n' + std::string(call.exchange.remote());
    identity::Throttle& logins = call.in.throttles.logins;
    if (auto fit = take(logins, failures, "Too many failed sign-ins. Try again later."); !fit)
        co_return fit.error();
    const auto account = co_await check_login(call, *body);
    if (!account) {
        const identity::Refusal refused = account.error();
        if (refused.error.code != Code::invalid_credentials) logins.give_back(failures);
        AuditRow::Entry entry;
        entry.event = "login_failed";
        entry.email = email;
        entry.detail = name(refused.error.code);
        co_await audit(call, entry);
        co_return refused;
    }
    logins.reset(failures);
    const auto started = co_await start_session(call, *account, "password");
    if (!started) co_return started.error();
    co_return Done();
}

}  // namespace svc::auth
