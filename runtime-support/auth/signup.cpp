#include "auth/email.hpp"
#include "auth/sign_in.hpp"
#include "data/uuid.hpp"
#include "json/formats.hpp"

namespace svc::auth {
namespace {

constexpr std::size_t kMaxName = 200;

identity::Result<void> check_policy(const App& app) {
    switch (app.auth.signup) {
        case SignupPolicy::open:
            return {};
        case SignupPolicy::invite_only:
            return identity::refusal(Code::signup_invite_only,
                                     "This app takes new accounts by invitation only.");
        case SignupPolicy::disabled:
            break;
    }
    return identity::refusal(Code::signup_disabled, "This app takes no new accounts.");
}

// The same whether the address was free or taken.
void answer_pending(http::Exchange& exchange) {
    exchange.reply().body =
        R"({"ok":true,"pending":true,"message":"Check your mail to confirm your address."})";
}

User user_of(const NewAccount& account) {
    User user;
    user.id = account.id;
    user.email = account.email;
    user.name = account.name;
    user.role = account.persona;
    return user;
}

}  // namespace

Task<Done> SignIn::signup(http::Exchange& exchange, const AppKey&) {
    if (auto open = check_policy(app_); !open) co_return open.error();
    auto account = read_signup(exchange.body());
    if (!account) co_return account.error();
    if (const unsigned wait = shared_.signups.take(std::string(exchange.remote()))) {
        auto full = identity::refusal(Code::rate_limited,
                                      "Too many sign-ups from this address. Try again later.");
        full.retry_after = wait;
        co_return full;
    }
    // Hashed before anything is known of the address: a taken one must not answer sooner.
    auto hash = co_await shared_.passwords.hash(std::move(account->password_hash));
    if (!hash) co_return hash.error();
    account->password_hash = std::move(*hash);

    const bool pending = app_.auth.verify_email;
    const identity::NewSession session(app_, account->id);
    const auto added = co_await accounts_.add(*account, pending ? nullptr : &session);
    if (!added) co_return added.error();
    if (pending)
        answer_pending(exchange);
    else if (*added == Added::no)
        co_return identity::refusal(Code::email_taken, "An account with this e-mail exists.",
                                    "email");
    else
        answer_signed_in(exchange, user_of(*account), session.token());
    co_return Done();
}

// The account that the body asks for; `password_hash` still holds the password.
identity::Result<NewAccount> SignIn::read_signup(std::string_view body) const {
    const auto texts = read_texts(body, {"email", "password", "name", "persona"});
    if (!texts) return texts.error();
    const auto email = normalised_email(text(*texts, "email"));
    if (!email)
        return identity::refusal(Code::invalid_email, "This is no e-mail address.", "email");
    if (auto fit = check_password(text(*texts, "password")); !fit) return fit.error();
    const std::string_view name = text(*texts, "name");
    if (json::characters(name) > kMaxName)
        return identity::refusal(Code::params_invalid, "A name may have 200 characters.", "name");
    const auto persona = signup_persona(*texts);
    if (!persona) return persona.error();

    NewAccount account;
    account.id = data::new_uuid();
    account.email = *email;
    account.name = name;
    account.persona = *persona;
    account.password_hash = text(*texts, "password");
    return account;
}

// The one asked for, or the first that is offered.
identity::Result<std::string_view> SignIn::signup_persona(const Texts& body) const {
    const std::string_view asked = text(body, "persona");
    for (const Persona& persona : app_.personas)
        if (persona.signup && (asked.empty() || persona.id == asked)) return persona.id;
    if (asked.empty())
        return identity::refusal(Code::signup_disabled, "No persona of this app signs itself up.");
    return identity::refusal(Code::invalid_role, "This persona is not offered at sign-up.",
                             "persona");
}

identity::Result<void> SignIn::check_password(std::string_view password) const {
    const std::size_t least = app_.auth.min_password;
    if (json::characters(password) >= least) return {};
    return identity::refusal(Code::weak_password,
                             "A password needs at least " + std::to_string(least) + " characters.",
                             "password");
}

}  // namespace svc::auth
