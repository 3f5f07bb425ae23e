#include "auth/org/org_invite.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/held_session.hpp"
#include "auth/json_rows.hpp"
#include "auth/link/link_token.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/link/previewer.hpp"
#include "base/json_text.hpp"
#include "base/uuid.hpp"
#include "identity/command.hpp"
#include "identity/user/personas.hpp"
#include "json/value.hpp"

namespace svc::auth::org {
namespace {

constexpr std::string_view kAcceptPath = "/orgs/invite/accept";

// The invitation belongs to who invites: it ends with their account. $5: "<organisation> <role>".
constexpr std::string_view kOrgInvite =
    "with known as (select from svc.member m join svc.account a on a.id = m.account_id"
    " where m.org_id = $4::text::uuid and a.email = $2::text),"
    " org as (select from svc.org where id = $4::text::uuid and not exists (select from known)),"
    " gone as (delete from svc.token where purpose = 'org_invite' and email = $2::text"
    " and data like $4::text || ' %'),"
    " token as (insert into svc.token (hash, purpose, account_id, email, data, expires_at)"
    " select $1::bytea, 'org_invite', $3::uuid, $2::text, $5::text, now() + interval '7 days' from "
    "org"
    " returning 1)"
    " insert into svc.mail (kind, recipient, subject, body, links)"
    " select 'orgInvite', $2::text, $6::text, $7::text, $8::text[] from token";

constexpr std::string_view kOrgName = "select to_json(name)::text from svc.org where id = $1::uuid";

// The inviter must still be allowed to invite: an owner, or an admin if the role is not owner. The
// caller who opened the link owns the address, so credentials that were set before are removed
// (svc.proven_password). An account without a password is led to choose one. $4: the persona of an
// account that is made here, null if none may be. $7: the hash of the link that lets a new account
// in, null if there is none.
constexpr std::string_view kAccept =
    ", org as (select o.id, o.name, split_part(used.data, ' ', 2) as role, used.email"
    " from used join svc.org o on o.id::text = split_part(used.data, ' ', 1)"
    " join svc.member i on i.org_id = o.id and i.account_id = used.account_id"
    " join svc.account ia on ia.id = i.account_id and not ia.disabled"
    " where i.role = 'owner' or (i.role = 'admin' and split_part(used.data, ' ', 2) <> 'owner')),"
    " made as (insert into svc.account (id, email, persona, verified_at)"
    " select $3::uuid, email, $4::text, now() from org where $4::text is not null"
    " on conflict (email) do nothing returning id),"
    " known as (update svc.account a set verified_at = coalesce(a.verified_at, now()),"
    " password_hash = svc.proven_password(a)"
    " from org where a.email = org.email and not a.disabled returning a.id, a.password_hash is "
    "null as fresh),"
    " who as (select * from known union all select id, true from made),"
    " joined as (insert into svc.member (org_id, account_id, role)"
    " select org.id, who.id, org.role from org, who on conflict (org_id, account_id) do nothing),"
    " gone as (delete from svc.token t using org where t.purpose = 'org_invite' and t.email = "
    "org.email"
    " and t.data like org.id || ' %' and t.hash <> $1::bytea),"
    " link as (insert into svc.token (hash, purpose, account_id, email, expires_at)"
    " select $5::bytea, $7::text, who.id, org.email, now() + interval '1 hour' from who, org"
    " where fresh and $7::text is not null),"
    " noted as (insert into svc.audit (event, account_id, email, address, detail)"
    " select 'org_joined', who.id, org.email, $6::text, org.id || ' ' || coalesce(m.role, org.role)"
    " from org cross join who left join svc.member m on m.org_id = org.id and m.account_id = "
    "who.id)"
    " select org.id::text, org.name, coalesce(m.role, org.role),"
    " (coalesce(who.fresh, false) and $7::text is not null)::text,"
    " who.id is not null from org left join who on true"
    " left join svc.member m on m.org_id = org.id and m.account_id = who.id";

class Joined : public db::RowSink {
  public:
    void row(const Row& row) override {
        id = row.text(0);
        name = row.text(1);
        role = row.text(2);
        fresh = row.text(3) == "true";
        joined = row.text(4) == "t";
    }
    std::string id, name, role;
    bool fresh = false, joined = false;
};

// The persona of an account that an invitation makes: what a sign-up gets, or none if nobody
// signs up.
db::Param invited_persona(const App& app) {
    if (app.auth.signup == SignupPolicy::disabled) return std::nullopt;
    const Persona* persona = identity::first_signup_persona(app);
    return persona ? db::Param(persona->id) : db::Param();
}

// The link that lets in an account without a password.
const link::LinkKind* entry_link(const App& app) {
    switch (link::entry_of(app.auth)) {
        case link::Entry::password:
            return &link::kInviteLink;
        case link::Entry::sign_in:
            return &link::kInviteInLink;
        case link::Entry::none:
            break;
    }
    return nullptr;
}

void answer_joined(Call& call, const Joined& joined, const link::LinkToken& link,
                   const link::LinkKind* kind) {
    if (joined.fresh && redirect_to(call, link::link_to(call.in, kind->path, link.value))) return;
    if (!joined.fresh && redirect_to_app(call, "org=" + joined.id)) return;
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"org":{"id":)";
    base::append_json(body, joined.id);
    body += R"(,"name":)";
    base::append_json(body, joined.name);
    body += R"(,"role":)";
    base::append_json(body, joined.role);
    body += '}';
    if (joined.fresh) {
        body += kind == &link::kInviteLink ? R"(,"setPasswordToken":)" : R"(,"signInToken":)";
        base::append_json(body, link.value);
    }
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
}

}  // namespace

Task<Done> invite_to_org(const Call& call, const std::string& org, const std::string& email,
                         std::string_view role) {
    if (auto fit = link::take_mail(call, email); !fit) co_return fit.error();
    const link::LinkToken token;
    const db::Param of[] = {org};
    const auto name = co_await json_rows(call.in, "svc_org_name", kOrgName, of);
    if (!name) co_return name.error();
    const User& user = *call.caller->user;
    link::MailValues values;
    values.app = call.in.app.name;
    values.link = link::link_to(call.in, kAcceptPath, token.value);
    values.org = json::parse(name->text).value.text;
    values.actor = user.name.empty() ? user.email : user.name;
    const link::Mail mail = link::compose(call.in.app, link::MailKind::org_invite, values);
    const std::string data = org + ' ' + std::string(role);
    const db::Param params[] = {token.hash, email,        user.id,   org,
                                data,       mail.subject, mail.body, mail.links};
    const HeldSession held(call);
    const db::Command commands[] = {held.command(),
                                    identity::command("svc_org_invite", kOrgInvite, params)};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0)
        co_return identity::refusal(
            Code::conflict, "This account is already a member of the organisation.", "email");
    AuditRow::Entry entry;
    entry.event = "org_invited";
    entry.actor_id = user.id;
    entry.email = email;
    entry.detail = data;
    co_await audit(call, entry);
    co_return Done();
}

Task<Done> accept_invitation(Call& call) {
    if (link::only_looks(call.exchange.head())) {
        link::answer_look(call);
        co_return Done();
    }
    const auto hash =
        link::shown_token(http::query_param(call.exchange.head().query, "token").value);
    if (!hash) co_return hash.error();
    const std::string sql = link::using_token(kAccept);
    const std::string id = base::new_uuid();
    const link::LinkToken link;
    const link::LinkKind* kind = entry_link(call.in.app);
    const db::Param params[] = {*hash,
                                base::word(link::TokenPurpose::org_invite),
                                id,
                                invited_persona(call.in.app),
                                link.hash,
                                call.exchange.remote(),
                                kind ? db::Param(base::word(kind->purpose)) : db::Param()};
    Joined joined;
    const db::Command command = identity::command("svc_org_accept", sql, params, &joined);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0)
        co_return co_await link::why_not(call.in, *hash, link::TokenPurpose::org_invite);
    if (!joined.joined)
        co_return identity::refusal(Code::user_not_found, "No account with this address can join.");
    answer_joined(call, joined, link, kind);
    co_return Done();
}

}  // namespace svc::auth::org
