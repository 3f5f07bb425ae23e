// An administrator makes an account.
#include "auth/account/admin_change.hpp"
#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/json_rows.hpp"
#include "auth/messages.hpp"
#include "auth/password/password_rules.hpp"
#include "base/uuid.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::account {
namespace {

constexpr std::string_view kUserAdd =
    "insert into svc.account as a (id, email, name, password_hash, persona, is_admin, verified_at)"
    " values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::boolean,"
    " case when $4::text is not null then now() end) returning svc.user_json(a)";

// Nothing for an invitation, whose link will set it, and where nobody has one.
Task<identity::Result<std::optional<std::string>>> password_for(const Call& call,
                                                                const Members& body) {
    const std::string_view password = text(body.texts, "password");
    if (!call.in.app.auth.password && !password.empty())
        co_return identity::refusal(Code::params_invalid, kNoPasswordSignIn, "password");
    const bool invited = body.flag("invite").value_or(false);
    if (!call.in.app.auth.password || (password.empty() && invited)) co_return std::nullopt;
    if (auto fit = password::check_password(call.in.app, password, "password"); !fit)
        co_return fit.error();
    const password::Requester requester =
        password::requester_of(call.caller->user->id, call.exchange.remote());
    auto hash = co_await call.in.throttles.passwords.hash(requester, std::string(password));
    if (!hash) co_return hash.error();
    co_return std::optional(std::move(*hash));
}

// The role of a new account. No one is made a manager because managers stand first in the contract.
identity::Result<std::string_view> role_for(const Call& call, const AccountChange& wanted) {
    if (wanted.role) return std::string_view(*wanted.role);
    const Persona* usual = identity::first_signup_persona(call.in.app);
    if (usual) return usual->id;
    return identity::refusal(Code::invalid_role, "The account needs a role. Send \"role\".",
                             "role");
}

// Writes the account and its record.
Task<identity::Result<JsonRows>> write_account(const Call& call, const AccountChange& wanted,
                                               std::string_view role,
                                               const std::optional<std::string>& hash) {
    const std::string id = base::new_uuid();
    const db::Param params[] = {id,
                                wanted.email,
                                wanted.name.value_or(""),
                                hash ? db::Param(*hash) : db::Param(),
                                role,
                                wanted.admin.value_or("false")};
    const AuditRow noted(call, {.event = "account_made",
                                .account_id = id,
                                .actor_id = call.caller->user->id,
                                .email = wanted.email_value,
                                .detail = role});
    const db::Command beside = noted.command();
    const identity::Refusal taken = email_taken();
    co_return co_await json_rows(call.in, "svc_user_add", kUserAdd, params, &beside, &taken);
}

}  // namespace

Task<Done> add_user(Call& call) {
    const auto body = read_members(call.exchange.body(), {"email", "password", "name", "role"},
                                   {"isAdmin", "invite"});
    if (!body) co_return body.error();
    AccountChange wanted;
    if (auto fit = read_change(call.in, *body, wanted); !fit) co_return fit.error();
    if (!wanted.email) co_return identity::refusal(Code::invalid_email, "Send \"email\".", "email");
    const auto role = role_for(call, wanted);
    if (!role) co_return role.error();
    const auto hash = co_await password_for(call, *body);
    if (!hash) co_return hash.error();
    const auto made = co_await write_account(call, wanted, *role, *hash);
    if (!made) co_return made.error();
    if (!*hash && body->flag("invite").value_or(false)) {
        const Done mailed = co_await mail_invitation(call, wanted.email_value);
        if (!mailed) co_return mailed.error();
    }
    answer_row(call.exchange, "user", *made);
    call.exchange.reply().status = 201;
    co_return Done();
}

}  // namespace svc::auth::account
