#include "auth/org_invite.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/json_rows.hpp"
#include "auth/link_token.hpp"
#include "auth/mailed_link.hpp"
#include "auth/previewer.hpp"
#include "data/uuid.hpp"
#include "http/json_text.hpp"
#include "identity/command.hpp"
#include "json/value.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kAcceptPath = "/orgs/invite/accept";

// The invitation belongs to who invites: it ends with his account. $5: "<organisation> <role>".
constexpr std::string_view kOrgInvite =
    "with known as (select from svc.member m join svc.account a on a.id = m.account_id"
    " where m.org_id = $4::uuid and a.email = $2::text),"
    " org as (select from svc.org where id = $4::uuid and not exists (select from known)),"
    " token as (insert into svc.token (hash, purpose, account_id, email, data, expires_at)"
    " select $1::bytea, 'org_invite', $3::uuid, $2::text, $5::text, now() + interval '7 days' from "
    "org"
    " returning 1)"
    " insert into svc.mail (kind, recipient, subject, body, links)"
    " select 'orgInvite', $2::text, $6::text, $7::text, $8::text[] from token";

constexpr std::string_view kOrgName = "select to_json(name)::text from svc.org where id = $1::uuid";

// An account that is made here has no password yet; what opened the link has shown that the address
// is its own.
constexpr std::string_view kAccept =
    ", org as (select o.id, o.name, split_part(used.data, ' ', 2) as role, used.email"
    " from used join svc.org o on o.id::text = split_part(used.data, ' ', 1)"
    // Who was removed since does not let others in.
    " join svc.member i on i.org_id = o.id and i.account_id = used.account_id),"
    " made as (insert into svc.account (id, email, persona, verified_at)"
    " select $3::uuid, email, $4::text, now() from org on conflict (email) do nothing returning "
    "id),"
    " who as (select id, false as fresh from svc.account where email = (select email from org)"
    " and not disabled union all select id, true from made),"
    " joined as (insert into svc.member (org_id, account_id, role)"
    " select org.id, who.id, org.role from org, who on conflict (org_id, account_id) do nothing),"
    " link as (insert into svc.token (hash, purpose, account_id, email, expires_at)"
    " select $5::bytea, 'invite', who.id, org.email, now() + interval '1 hour' from who, org"
    " where fresh),"
    " noted as (insert into svc.audit (event, account_id, email, address, detail)"
    " select 'org_joined', who.id, org.email, $6::text, org.id || ' ' || org.role from who, org)"
    " select org.id::text, org.name, org.role, coalesce(who.fresh, false)::text, who.id is not null"
    " from org left join who on true";

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

// The persona of an account that an invitation makes.
std::string_view invited_persona(const App& app) {
    for (const Persona& persona : app.personas)
        if (persona.signup) return persona.id;
    return app.personas.empty() ? std::string_view() : app.personas.front().id;
}

void answer_joined(Call& call, const Joined& joined, const LinkToken& link) {
    if (joined.fresh && redirect_to(call, link_to(call.in, kInviteLink.path, link.value))) return;
    if (!joined.fresh && redirect_to_app(call, "org=" + joined.id)) return;
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"org":{"id":)";
    http::append_json(body, joined.id);
    body += R"(,"name":)";
    http::append_json(body, joined.name);
    body += R"(,"role":)";
    http::append_json(body, joined.role);
    body += '}';
    if (joined.fresh) {
        body += R"(,"setPasswordToken":)";
        http::append_json(body, link.value);
    }
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
}

}  // namespace

Task<Done> invite_to_org(const Call& call, const std::string& org, const std::string& email,
                         std::string_view role) {
    if (auto fit = take_mail(call, email); !fit) co_return fit.error();
    const LinkToken token;
    const db::Param of[] = {org};
    const auto name = co_await json_rows(call.in, "svc_org_name", kOrgName, of);
    if (!name) co_return name.error();
    const User& user = *call.caller->user;
    MailValues values;
    values.app = call.in.app.name;
    values.link = link_to(call.in, kAcceptPath, token.value);
    values.org = json::parse(name->text).value.text;
    values.actor = user.name.empty() ? user.email : user.name;
    const Mail mail = compose(call.in.app, MailKind::org_invite, values);
    const std::string data = org + ' ' + std::string(role);
    const db::Param params[] = {token.hash, email,        user.id,   org,
                                data,       mail.subject, mail.body, mail.links};
    const db::Command command = identity::command("svc_org_invite", kOrgInvite, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0)
        co_return identity::refusal(Code::conflict, "This account is a member already.", "email");
    AuditRow::Entry entry;
    entry.event = "org_invited";
    entry.actor_id = user.id;
    entry.email = email;
    entry.detail = data;
    co_await audit(call, entry);
    co_return Done();
}

Task<Done> accept_invitation(Call& call) {
    if (only_looks(call.exchange.head())) {
        answer_look(call.exchange);
        co_return Done();
    }
    const auto hash = shown_token(http::query_param(call.exchange.head().query, "token").value);
    if (!hash) co_return hash.error();
    const std::string sql = using_token(kAccept);
    const std::string id = data::new_uuid();
    const LinkToken link;
    const db::Param params[] = {*hash,     "org_invite",          id, invited_persona(call.in.app),
                                link.hash, call.exchange.remote()};
    Joined joined;
    const db::Command command = identity::command("svc_org_accept", sql, params, &joined);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0) co_return co_await why_not(call.in, *hash, "org_invite");
    if (!joined.joined)
        co_return identity::refusal(Code::user_not_found, "The account of this link is disabled.");
    answer_joined(call, joined, link);
    co_return Done();
}

}  // namespace svc::auth
