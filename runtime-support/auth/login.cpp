#include "auth/email.hpp"
#include "auth/sign_in.hpp"

namespace svc::auth {
namespace {

constexpr std::size_t kMaxEmail = 254;

identity::Refusal wrong_pair() {
    return identity::refusal(Code::invalid_credentials, "E-mail or password is wrong.");
}

// What failures are counted under. The address as sent where it is none, cut to a size worth
// keeping.
std::string failure_key(std::string_view email, std::string_view address) {
    std::string key = normalised_email(email).value_or(std::string(email.substr(0, kMaxEmail)));
    key += '\n';
    key += address;
    return key;
}

}  // namespace

Task<Done> SignIn::login(http::Exchange& exchange, const AppKey&) {
    const auto body = read_texts(exchange.body(), {"email", "password"});
    if (!body) co_return body.error();
    if (text(*body, "email").empty() || text(*body, "password").empty())
        co_return identity::refusal(Code::invalid_credentials_missing,
                                    "Send \"email\" and \"password\".");

    // Counted before the answer is known, so that many tries at once are no way around the limit.
    const std::string failures = failure_key(text(*body, "email"), exchange.remote());
    if (const unsigned wait = shared_.logins.take(failures)) {
        auto locked =
            identity::refusal(Code::rate_limited, "Too many failed sign-ins. Try again later.");
        locked.retry_after = wait;
        co_return locked;
    }
    const auto account = co_await check_login(*body);
    if (!account) {
        if (account.error().error.code != Code::invalid_credentials)
            shared_.logins.give_back(failures);
        co_return account.error();
    }
    shared_.logins.reset(failures);

    const identity::NewSession session(app_, account->user.id);
    const auto begun = co_await accounts_.begin(session);
    if (!begun) co_return begun.error();
    answer_signed_in(exchange, account->user, session.token());
    co_return Done();
}

// What is wrong with an account is told to whoever knows its password, and to nobody else.
Task<identity::Result<identity::Account>> SignIn::check_login(const Texts& body) {
    std::optional<identity::Account> account;
    if (const auto email = normalised_email(text(body, "email"))) {
        auto found = co_await accounts_.find(*email);
        if (!found) co_return found.error();
        account = std::move(*found);
    }
    const std::string hash = account ? account->password_hash : std::string();
    const auto fits = co_await shared_.passwords.fits(std::string(text(body, "password")), hash);
    if (!fits) co_return fits.error();
    if (!*fits) co_return wrong_pair();
    if (account->disabled)
        co_return identity::refusal(Code::account_disabled, "This account is disabled.");
    if (app_.auth.verify_email && !account->verified)
        co_return identity::refusal(Code::email_not_verified, "Confirm your e-mail address first.");
    co_return std::move(*account);
}

}  // namespace svc::auth
