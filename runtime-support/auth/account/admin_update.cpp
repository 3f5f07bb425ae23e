// An administrator changes an account.
#include "auth/account/admin_change.hpp"
#include "auth/audit.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/messages.hpp"
#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/sql_state.hpp"
#include "identity/command.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::account {
namespace {

// A new address counts as unproven until it is confirmed. Rights that sign-up does not give ($7:
// the role is such a one; administrators) must go to the owner of the address. So for an unproven
// account, credentials that a stranger may have set are removed (svc.proven_password).
constexpr std::string_view kUserChange =
    "update svc.account a set name = coalesce($2::text, name),"
    " verified_at = case when $3::text <> email then null else verified_at end,"
    " email = coalesce($3::text, email), persona = coalesce($4::text, persona),"
    " is_admin = coalesce($5::boolean, is_admin), disabled = coalesce($6::boolean, disabled),"
    " password_hash = case when ($5::boolean and not is_admin)"
    " or ($7::boolean and $4::text <> persona) then svc.proven_password(a) else password_hash end,"
    " updated_at = now() where id = $1::uuid"
    " returning svc.user_json(a), a.email, a.password_hash is null"
    " and (select b.password_hash is not null from svc.account b where b.id = a.id)";

class Changed : public db::RowSink {
  public:
    void row(const Row& row) override {
        user = row.text(0);
        email = row.text(1);
        password_ended = row.text(2) == "t";
    }
    std::string user, email;
    bool password_ended = false;
};

// The names of the changed members, for the record; never the values.
std::string named(const Members& body) {
    std::string out;
    const auto add = [&out](const std::string& name) { out += (out.empty() ? "" : ", ") + name; };
    for (const auto& [name, value] : body.texts) add(name);
    for (const auto& [name, value] : body.flags) add(name + (value ? " on" : " off"));
    return out;
}

// Administrators must not lock themselves out.
identity::Result<void> check_lockout(const Call& call, std::string_view id, const Members& body) {
    const bool own = base::iequals(id, call.caller->user->id);
    const bool out = body.flag("disabled").value_or(false) || !body.flag("isAdmin").value_or(true);
    if (own && out)
        return identity::refusal(Code::self_lockout,
                                 "You cannot disable your own account or take away your own role.");
    return {};
}

bool given_only(const App& app, const AccountChange& wanted) {
    const Persona* persona = wanted.role ? identity::find_persona(app, *wanted.role) : nullptr;
    return persona && !persona->signup;
}

void answer_changed(http::Exchange& exchange, const Changed& changed) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"user":)" + changed.user;
    if (changed.password_ended)
        body +=
            R"(,"warning":"Nobody had proven that this address is theirs, so the old password and )"
            R"(second factors no longer work. A link was sent to the address.")";
    body += '}';
}

// Mails that a change makes: to an account that lost its way in, and to a new address.
Task<Done> mail_about(const Call& call, const Changed& changed, const AccountChange& wanted) {
    if (changed.password_ended) {
        const Done mailed = co_await mail_invitation(call, changed.email);
        if (!mailed) co_return mailed.error();
    }
    if (wanted.email && call.in.app.auth.verify_email)
        co_return co_await link::mail_link(call, link::kVerifyLink, wanted.email_value);
    co_return Done();
}

// Writes the change and its record. Without a user afterwards there is no such account.
Task<Done> write_change(const Call& call, const AccountChange& wanted, std::string_view what,
                        Changed& changed) {
    const db::Param params[] = {call.id,
                                wanted.name,
                                wanted.email,
                                wanted.role,
                                wanted.admin,
                                wanted.disabled,
                                given_only(call.in.app, wanted) ? "true" : "false"};
    const AuditRow noted(call, {.event = "account_changed",
                                .account_id = call.id,
                                .actor_id = call.caller->user->id,
                                .detail = what});
    const db::Command commands[] = {
        identity::command("svc_user_change", kUserChange, params, &changed), noted.command()};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok && outcome.error().sqlstate == base::sqlstate::kTaken) co_return email_taken();
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return Done();
}

}  // namespace

Task<Done> change_user(Call& call) {
    const auto body =
        read_members(call.exchange.body(), {"name", "email", "role"}, {"isAdmin", "disabled"});
    if (!body) co_return body.error();
    const identity::Refusal nobody = identity::refusal(Code::not_found, kNoSuchAccount);
    if (!base::is_uuid(call.id)) co_return nobody;
    if (auto fit = check_lockout(call, call.id, *body); !fit) co_return fit.error();
    AccountChange wanted;
    if (auto fit = read_change(call.in, *body, wanted); !fit) co_return fit.error();
    const std::string what = named(*body);
    Changed changed;
    const Done written = co_await write_change(call, wanted, what, changed);
    if (!written) co_return written.error();
    if (changed.user.empty()) co_return nobody;
    const Done mailed = co_await mail_about(call, changed, wanted);
    if (!mailed) co_return mailed.error();
    answer_changed(call.exchange, changed);
    co_return Done();
}

}  // namespace svc::auth::account
