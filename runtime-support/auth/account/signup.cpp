// POST /auth/signup. In an app without passwords the answer is the same for every address, and a
// link lets in: to the account that was there, or to the one that is made.
#include "auth/account/accounts.hpp"
#include "auth/account_store.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/email.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/messages.hpp"
#include "auth/password/password_rules.hpp"
#include "auth/session_start.hpp"
#include "base/utf8.hpp"
#include "base/uuid.hpp"

namespace svc::auth::account {
namespace {

identity::Result<void> check_policy(const App& app) {
    switch (app.auth.signup) {
        case SignupPolicy::open:
            return {};
        case SignupPolicy::invite_only:
            return identity::refusal(Code::signup_invite_only, kInvitationNeeded);
        case SignupPolicy::disabled:
            break;
    }
    return identity::refusal(Code::signup_disabled, kSignupDisabled);
}

// The answer is the same whether the address was free or taken.
void answer_pending(http::Exchange& exchange) {
    exchange.reply().body =
        R"({"ok":true,"pending":true,"message":"Check your mail to confirm your address."})";
}

// The answer does not show that the address has an account already, and the request does not change
// that account. Its owner gets a mail.
constexpr link::LinkKind kTakenLink{link::TokenPurpose::reset, link::MailKind::taken,
                                    "/auth/set-password", 3600};

identity::Account account_of(const NewAccount& made) {
    identity::Account account;
    account.user.id = made.id;
    account.user.email = made.email;
    account.user.name = made.name;
    account.user.role = made.persona;
    account.password_hash = made.password_hash;
    return account;
}

// The persona asked for, or the first that is offered.
identity::Result<std::string_view> signup_persona(const App& app, std::string_view asked) {
    for (const Persona& persona : app.personas)
        if (persona.signup && (asked.empty() || persona.id == asked)) return persona.id;
    if (asked.empty())
        return identity::refusal(Code::signup_disabled,
                                 "This app has no persona that people may sign up as.");
    return identity::refusal(Code::invalid_role, "People may not sign up as this persona.",
                             "persona");
}

identity::Result<void> check_new_password(const App& app, std::string_view password) {
    if (app.auth.password) return password::check_password(app, password, "password");
    if (password.empty()) return {};
    return identity::refusal(Code::params_invalid, kNoPasswordSignIn, "password");
}

// The account that the body asks for; `password_hash` still holds the password.
identity::Result<NewAccount> read_signup(const App& app, std::string_view body) {
    const auto texts = read_texts(body, {"email", "password", "name", "persona"});
    if (!texts) return texts.error();
    const auto email = normalised_email(text(*texts, "email"));
    if (!email) return identity::refusal(Code::invalid_email, kInvalidEmail, "email");
    if (auto fit = check_new_password(app, text(*texts, "password")); !fit) return fit.error();
    const std::string_view name = text(*texts, "name");
    if (base::characters(name) > kLongestPersonName)
        return identity::refusal(Code::params_invalid, kNameTooLong, "name");
    const auto persona = signup_persona(app, text(*texts, "persona"));
    if (!persona) return persona.error();

    NewAccount account;
    account.id = base::new_uuid();
    account.email = *email;
    account.name = name;
    account.persona = *persona;
    account.password_hash = text(*texts, "password");
    return account;
}

// The mail for a sign-up that is answered by mail.
const link::LinkKind& link_for(const App& app, Added added) {
    if (!app.auth.password) return link::kMagicLink;
    return added == Added::yes ? link::kVerifyLink : kTakenLink;
}

Task<identity::Result<void>> hash_password(const Call& call, NewAccount& account) {
    if (account.password_hash.empty()) co_return identity::Result<void>();
    const password::Requester requester =
        password::requester_of(account.email, call.exchange.remote());
    auto hash =
        co_await call.in.throttles.passwords.hash(requester, std::move(account.password_hash));
    if (!hash) co_return hash.error();
    account.password_hash = std::move(*hash);
    co_return identity::Result<void>();
}

}  // namespace

Task<Done> signup(Call& call) {
    const App& app = call.in.app;
    if (auto open = check_policy(app); !open) co_return open.error();
    if (link::entry_of(app.auth) == link::Entry::none) co_return link::no_passwords();
    auto account = read_signup(app, call.exchange.body());
    if (!account) co_return account.error();
    if (auto fit = take_from(call.in.throttles.signups, call.exchange,
                             "Too many sign-ups from this address. Try again later.");
        !fit)
        co_return fit.error();
    // Without passwords the link signs the user in, and so confirms the address.
    const bool by_mail = app.auth.verify_email || !app.auth.password;
    if (by_mail)
        if (auto fit = link::take_mail(call, account->email); !fit) co_return fit.error();
    // Hashed before anything is known of the address: a taken one must not answer sooner.
    const auto hashed = co_await hash_password(call, *account);
    if (!hashed) co_return hashed.error();

    AccountStore accounts(call.in.system);
    const AuditRow noted(call,
                         {.event = "signup", .account_id = account->id, .email = account->email});
    const auto added = co_await accounts.add(*account, noted.command());
    if (!added) co_return added.error();
    if (by_mail) {
        const Done mailed = co_await link::mail_link(call, link_for(app, *added), account->email);
        if (!mailed) co_return mailed.error();
        answer_pending(call.exchange);
        co_return Done();
    }
    if (*added == Added::no) co_return identity::refusal(Code::email_taken, kEmailTaken, "email");
    const auto started = co_await start_session(call, account_of(*account), "signup");
    if (!started) co_return started.error();
    co_return Done();
}

}  // namespace svc::auth::account
