// What administrators do with accounts.
#include "auth/account/account_store.hpp"
#include "auth/account/email.hpp"
#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/json_rows.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/mfa/admin_factors.hpp"
#include "auth/password/password_rules.hpp"
#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "base/uuid.hpp"
#include "identity/command.hpp"
#include "identity/personas.hpp"
#include "json/formats.hpp"

namespace svc::auth::account {
namespace {

constexpr std::string_view kUsers =
    "select svc.user_json(a) from svc.account a order by a.created_at, a.id"
    " limit $1::integer offset $2::integer";

constexpr std::string_view kUserAdd =
    "insert into svc.account as a (id, email, name, password_hash, persona, is_admin, verified_at)"
    " values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::boolean,"
    " case when $4::text is not null then now() end) returning svc.user_json(a)";

// A new address is nobody's until it is confirmed. Rights that nobody takes by signing up ($7: the
// role is one of those; administrators) go to the owner of the address: of an account that nobody
// has shown to be theirs, what a stranger may have set goes (svc.proven_password).
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

constexpr std::string_view kEvents =
    "select json_build_object('id', e.id::text, 'at', svc.iso_time(e.at), 'event', e.event,"
    " 'accountId', e.account_id, 'actorId', e.actor_id, 'email', e.email, 'address', e.address,"
    " 'detail', e.detail)::text"
    " from svc.audit e where $3::uuid is null or e.account_id = $3::uuid"
    " order by e.id desc limit $1::integer offset $2::integer";

// What a body asks for; views into it.
struct Wanted {
    db::Param name, email, role, admin, disabled;
    std::string email_value;
};

db::Param flag_param(std::optional<bool> flag) {
    if (!flag) return std::nullopt;
    return *flag ? "true" : "false";
}

identity::Result<void> read_wanted(const Context& in, const Members& body, Wanted& out) {
    if (const auto found = body.texts.find("email"); found != body.texts.end()) {
        const auto email = normalised_email(found->second);
        if (!email)
            return identity::refusal(Code::invalid_email, "This is not a valid e-mail address.",
                                     "email");
        out.email_value = *email;
        out.email = out.email_value;
    }
    if (const auto found = body.texts.find("name"); found != body.texts.end()) {
        if (base::characters(found->second) > kLongestPersonName)
            return identity::refusal(Code::params_invalid,
                                     "A name may have at most 200 characters.", "name");
        out.name = found->second;
    }
    if (const auto found = body.texts.find("role"); found != body.texts.end()) {
        if (!identity::find_persona(in.app, found->second))
            return identity::refusal(Code::invalid_role, "This app has no such role.", "role");
        out.role = found->second;
    }
    out.admin = flag_param(body.flag("isAdmin"));
    out.disabled = flag_param(body.flag("disabled"));
    return {};
}

identity::Refusal email_taken() {
    return identity::refusal(Code::email_taken,
                             "An account with this e-mail address already exists.", "email");
}

// What a change is about, for the record; never the values.
std::string named(const Members& body) {
    std::string out;
    const auto add = [&out](const std::string& name) { out += (out.empty() ? "" : ", ") + name; };
    for (const auto& [name, value] : body.texts) add(name);
    for (const auto& [name, value] : body.flags) add(name + (value ? " on" : " off"));
    return out;
}

Task<Done> list_users(Call& call) {
    const auto page = page_of(call.exchange.head());
    if (!page) co_return page.error();
    const db::Param params[] = {page->limit, page->offset};
    const auto rows = co_await json_rows(call.in, "svc_users", kUsers, params);
    if (!rows) co_return rows.error();
    answer_rows(call.exchange, "users", *rows);
    co_return Done();
}

Task<Done> list_roles(Call& call) {
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"roles":[)";
    for (const Persona& persona : call.in.app.personas) {
        if (body.back() != '[') body += ',';
        body += R"({"id":)";
        base::append_json(body, persona.id);
        body += R"(,"label":)";
        base::append_json(body, persona.label);
        body += persona.kind == Kind::staff ? R"(,"kind":"staff"})" : R"(,"kind":"consumer"})";
    }
    body += "]}";
    co_return Done();
}

// Nothing for an invitation, whose link will set it, and where nobody has one.
Task<identity::Result<std::optional<std::string>>> password_for(const Call& call,
                                                                const Members& body) {
    const std::string_view password = text(body.texts, "password");
    if (!call.in.app.auth.password && !password.empty())
        co_return identity::refusal(Code::params_invalid,
                                    "This app does not offer sign-in with passwords.", "password");
    const bool invited = body.flag("invite").value_or(false);
    if (!call.in.app.auth.password || (password.empty() && invited)) co_return std::nullopt;
    if (auto fit = password::check_password(call.in.app, password, "password"); !fit)
        co_return fit.error();
    const password::Asker asker = password::asker_of(call.caller->user->id, call.exchange.remote());
    auto hash = co_await call.in.throttles.passwords.hash(asker, std::string(password));
    if (!hash) co_return hash.error();
    co_return std::optional(std::move(*hash));
}

// Where people sign in by providers alone, no link is needed: the address finds the account.
Task<Done> mail_invitation(const Call& call, std::string_view email) {
    const link::Entry entry = link::entry_of(call.in.app.auth);
    if (entry == link::Entry::none) co_return Done();
    co_return co_await link::mail_link(
        call, entry == link::Entry::password ? link::kInviteLink : link::kInviteInLink, email);
}

Task<Done> add_user(Call& call) {
    const auto body = read_members(call.exchange.body(), {"email", "password", "name", "role"},
                                   {"isAdmin", "invite"});
    if (!body) co_return body.error();
    Wanted wanted;
    if (auto fit = read_wanted(call.in, *body, wanted); !fit) co_return fit.error();
    if (!wanted.email) co_return identity::refusal(Code::invalid_email, "Send \"email\".", "email");
    const Persona* usual = identity::first_signup_persona(call.in.app);
    // No one is made a manager because managers stand first in the contract.
    if (!wanted.role && !usual)
        co_return identity::refusal(Code::invalid_role, "The account needs a role. Send \"role\".",
                                    "role");
    const std::string_view role = wanted.role ? *wanted.role : usual->id;
    const auto hash = co_await password_for(call, *body);
    if (!hash) co_return hash.error();

    const std::string id = base::new_uuid();
    const db::Param params[] = {id,
                                wanted.email,
                                wanted.name.value_or(""),
                                *hash ? db::Param(**hash) : db::Param(),
                                role,
                                wanted.admin.value_or("false")};
    const AuditRow noted(call, {.event = "account_made",
                                .account_id = id,
                                .actor_id = call.caller->user->id,
                                .email = wanted.email_value,
                                .detail = role});
    const db::Command beside = noted.command();
    const auto made = co_await json_rows(call.in, "svc_user_add", kUserAdd, params, &beside);
    if (!made) co_return made.error().error.code == Code::conflict ? email_taken() : made.error();
    if (!*hash && body->flag("invite").value_or(false)) {
        const Done mailed = co_await mail_invitation(call, wanted.email_value);
        if (!mailed) co_return mailed.error();
    }
    answer_row(call.exchange, "user", *made);
    call.exchange.reply().status = 201;
    co_return Done();
}

// Nobody shuts himself out.
identity::Result<void> check_lockout(const Call& call, std::string_view id, const Members& body) {
    const bool own = base::iequals(id, call.caller->user->id);
    const bool out = body.flag("disabled").value_or(false) || !body.flag("isAdmin").value_or(true);
    if (own && out)
        return identity::refusal(Code::self_lockout,
                                 "You cannot disable your own account or take away your own role.");
    return {};
}

bool given_only(const App& app, const Wanted& wanted) {
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

Task<Done> change_user(Call& call) {
    const auto body =
        read_members(call.exchange.body(), {"name", "email", "role"}, {"isAdmin", "disabled"});
    if (!body) co_return body.error();
    const identity::Refusal nobody =
        identity::refusal(Code::not_found, "The app has no such account.");
    if (!json::is_uuid(call.id)) co_return nobody;
    if (auto fit = check_lockout(call, call.id, *body); !fit) co_return fit.error();
    Wanted wanted;
    if (auto fit = read_wanted(call.in, *body, wanted); !fit) co_return fit.error();

    const db::Param params[] = {call.id,
                                wanted.name,
                                wanted.email,
                                wanted.role,
                                wanted.admin,
                                wanted.disabled,
                                given_only(call.in.app, wanted) ? "true" : "false"};
    const std::string what = named(*body);
    const AuditRow noted(call, {.event = "account_changed",
                                .account_id = call.id,
                                .actor_id = call.caller->user->id,
                                .detail = what});
    Changed changed;
    const db::Command commands[] = {
        identity::command("svc_user_change", kUserChange, params, &changed), noted.command()};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok && outcome.why().sqlstate == "23505") co_return email_taken();
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (changed.user.empty()) co_return nobody;
    if (changed.password_ended) {
        const Done mailed = co_await mail_invitation(call, changed.email);
        if (!mailed) co_return mailed.error();
    }
    if (wanted.email && call.in.app.auth.verify_email) {
        const Done mailed = co_await link::mail_link(call, link::kVerifyLink, wanted.email_value);
        if (!mailed) co_return mailed.error();
    }
    answer_changed(call.exchange, changed);
    co_return Done();
}

// GET /auth/audit?account=&limit=&offset=
Task<Done> list_events(Call& call) {
    const auto page = page_of(call.exchange.head());
    if (!page) co_return page.error();
    const std::string account = http::query_param(call.exchange.head().query, "account").value;
    if (!account.empty() && !json::is_uuid(account))
        co_return identity::refusal(Code::params_invalid,
                                    "\"account\" must be the id of an account.", "account");
    const db::Param params[] = {page->limit, page->offset,
                                account.empty() ? db::Param() : db::Param(account)};
    const auto rows = co_await json_rows(call.in, "svc_audit_events", kEvents, params);
    if (!rows) co_return rows.error();
    answer_rows(call.exchange, "events", *rows);
    co_return Done();
}

constexpr std::string_view kUserParams[] = {"limit", "offset"};
constexpr std::string_view kEventParams[] = {"account", "limit", "offset"};

constexpr AuthRoute kAdminRoutes[] = {
    {Method::get, "/auth/users", Need::admin, list_users, kUserParams},
    {Method::post, "/auth/users", Need::admin, add_user},
    {Method::patch, "/auth/users/<id>", Need::admin, change_user},
    {Method::remove, "/auth/users/<id>/mfa", Need::admin, mfa::remove_factors},
    {Method::get, "/auth/roles", Need::admin, list_roles},
    {Method::get, "/auth/audit", Need::admin, list_events, kEventParams},
};

}  // namespace

std::span<const AuthRoute> admin_routes() { return kAdminRoutes; }

}  // namespace svc::auth::account
