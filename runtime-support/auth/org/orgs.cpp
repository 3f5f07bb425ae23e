// Organisations: making, switching, and the routes of all that is about them.
#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/body.hpp"
#include "auth/held_session.hpp"
#include "auth/json_rows.hpp"
#include "auth/org/members.hpp"
#include "auth/org/org_invite.hpp"
#include "auth/org/org_rights.hpp"
#include "auth/throttles.hpp"
#include "base/formats.hpp"
#include "base/utf8.hpp"
#include "base/uuid.hpp"
#include "http/text.hpp"

namespace svc::auth::org {
namespace {

constexpr std::size_t kLongestOrgName = 200;

constexpr std::string_view kOrgMake =
    "with o as (insert into svc.org (id, name) values ($1::uuid, $2::text) returning *),"
    " m as (insert into svc.member (org_id, account_id, role)"
    " select id, $3::uuid, 'owner' from o returning *),"
    " s as (update svc.session set org_id = $1::uuid where hash = $4::bytea)"
    " select svc.org_json(row(o.*)::svc.org, m.role) from o, m";

constexpr std::string_view kOrgs =
    "select svc.org_json(o, m.role) from svc.org o join svc.member m on m.org_id = o.id"
    " where m.account_id = $1::uuid order by o.created_at, o.id"
    " limit $2::integer offset $3::integer";

constexpr std::string_view kOrgCurrent =
    "select svc.org_json(o, m.role) from svc.org o join svc.member m on m.org_id = o.id"
    " where m.account_id = $1::uuid and o.id = $2::uuid";

constexpr std::string_view kOrgSwitch =
    "with m as (select * from svc.member where org_id = $2::uuid and account_id = $1::uuid),"
    " s as (update svc.session set org_id = $2::uuid where hash = $3::bytea and exists (select "
    "from m))"
    " select svc.org_json(o, m.role) from svc.org o join m on m.org_id = o.id";

Task<Done> make_org(Call& call) {
    if (auto on = check_enabled(call); !on) co_return on.error();
    const auto body = read_texts(call.exchange.body(), {"name"});
    if (!body) co_return body.error();
    const std::string_view name = base::trim(text(*body, "name"));
    if (name.empty() || base::characters(name) > kLongestOrgName)
        co_return identity::refusal(
            Code::params_invalid, "An organisation's name must have 1 to 200 characters.", "name");
    const std::string id = base::new_uuid();
    const User& user = *call.caller->user;
    if (auto free = take(call.in.throttles.orgs, user.id,
                         "You have made too many organisations. Try again later.");
        !free)
        co_return free.error();
    const db::Param params[] = {id, name, user.id, call.caller->session_hash};
    const AuditRow noted(call, {.event = "org_made", .account_id = user.id, .detail = id});
    const db::Command beside = noted.command();
    const auto rows = co_await held_json_rows(call, "svc_org_make", kOrgMake, params, &beside);
    if (!rows) co_return rows.error();
    call.in.identifier.sessions().forget(call.caller->session_hash);
    answer_row(call.exchange, "org", *rows);
    call.exchange.reply().status = 201;
    co_return Done();
}

Task<Done> list_orgs(Call& call) {
    if (auto on = check_enabled(call); !on) co_return on.error();
    const auto page = page_of(call.exchange.head());
    if (!page) co_return page.error();
    const db::Param params[] = {call.caller->user->id, page->limit, page->offset};
    const auto rows = co_await json_rows(call.in, "svc_orgs", kOrgs, params);
    if (!rows) co_return rows.error();
    answer_rows(call.exchange, "orgs", *rows);
    co_return Done();
}

Task<Done> current(Call& call) {
    if (auto on = check_enabled(call); !on) co_return on.error();
    const auto& org = call.caller->user->org_id;
    const db::Param params[] = {call.caller->user->id, org ? db::Param(*org) : db::Param()};
    const auto rows = co_await json_rows(call.in, "svc_org_current", kOrgCurrent, params);
    if (!rows) co_return rows.error();
    answer_row(call.exchange, "org", *rows);
    co_return Done();
}

Task<Done> switch_org(Call& call) {
    if (auto on = check_enabled(call); !on) co_return on.error();
    const auto body = read_texts(call.exchange.body(), {"orgId"});
    if (!body) co_return body.error();
    const std::string_view org = text(*body, "orgId");
    if (!base::is_uuid(org))
        co_return identity::refusal(Code::params_invalid,
                                    "\"orgId\" must be the id of an organisation.", "orgId");
    const db::Param params[] = {call.caller->user->id, org, call.caller->session_hash};
    const auto rows = co_await json_rows(call.in, "svc_org_switch", kOrgSwitch, params);
    if (!rows) co_return rows.error();
    if (rows->count == 0) co_return forbidden("You are not a member of this organisation.");
    call.in.identifier.sessions().forget(call.caller->session_hash);
    answer_row(call.exchange, "org", *rows);
    co_return Done();
}

constexpr std::string_view kPageParams[] = {"limit", "offset"};
constexpr std::string_view kInviteParams[] = {"token", "go"};

constexpr AuthRoute kOrgRoutes[] = {
    {Method::post, "/orgs", Need::session, make_org},
    {Method::get, "/orgs", Need::session, list_orgs, kPageParams},
    {Method::get, "/orgs/current", Need::session, current},
    {Method::post, "/orgs/switch", Need::session, switch_org},
    {Method::get, "/orgs/members", Need::session, members, kPageParams},
    {Method::patch, "/orgs/members/<id>", Need::session, change_member},
    {Method::remove, "/orgs/members/<id>", Need::session, remove_member},
    {Method::post, "/orgs/invite", Need::session, invite},
    {Method::get, "/orgs/invite/accept", Need::nothing, accept_invitation, kInviteParams},
};

}  // namespace

std::span<const AuthRoute> routes() { return kOrgRoutes; }

}  // namespace svc::auth::org
