#include "auth/org/members.hpp"

#include "auth/answer.hpp"
#include "auth/body.hpp"
#include "auth/email.hpp"
#include "auth/held_session.hpp"
#include "auth/json_rows.hpp"
#include "auth/messages.hpp"
#include "auth/org/org_invite.hpp"
#include "auth/org/org_rights.hpp"
#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "identity/command.hpp"

namespace svc::auth::org {
namespace {

constexpr std::string_view kMembers =
    "select svc.member_json(a, m.role, m.joined_at)"
    " from svc.member m join svc.account a on a.id = m.account_id"
    " where m.org_id = $1::uuid order by m.joined_at, a.id limit $2::integer offset $3::integer";

// Every change locks the members that it concerns in the same order, and then reads their roles. So
// if two owners leave at the same time, one stays, and an actor who was demoted meanwhile changes
// nobody. $3: the new role; null: the member is removed, and older invitations to them end. $4: the
// actor. Returns the outcome and the member.
constexpr std::string_view kMemberChange =
    "with locked as (select account_id, role, joined_at from svc.member where org_id = $1::uuid"
    " and (role = 'owner' or account_id in ($2::uuid, $4::uuid)) order by account_id for update),"
    " actor as (select role from locked where account_id = $4::uuid),"
    " m as (select * from locked where account_id = $2::uuid),"
    " verdict as (select case"
    " when actor.role is null or (actor.role not in ('owner', 'admin')"
    " and ($2::uuid <> $4::uuid or $3::text is not null)) then 'forbidden'"
    " when actor.role <> 'owner' and (m.role = 'owner' or $3::text = 'owner') then 'forbidden'"
    " when m.role = 'owner' and $3::text is distinct from 'owner'"
    " and (select count(*) from locked where role = 'owner') < 2 then 'last'"
    " else 'ok' end as said from m left join actor on true),"
    " gone as (delete from svc.member using verdict where said = 'ok' and $3::text is null"
    " and org_id = $1::uuid and account_id = $2::uuid returning account_id),"
    " invitations as (delete from svc.token t using gone g join svc.account a on a.id = "
    "g.account_id"
    " where t.purpose = 'org_invite' and t.email = a.email and t.data like $1::uuid || ' %'),"
    " changed as (update svc.member set role = $3::text from verdict where said = 'ok'"
    " and $3::text is not null and org_id = $1::uuid and account_id = $2::uuid returning "
    "account_id),"
    " noted as (insert into svc.audit (event, account_id, actor_id, detail, address)"
    " select case when $3::text is null then 'org_left' else 'org_role' end, $2::uuid,"
    " $4::uuid, $1::uuid || coalesce(' ' || $3::text, ''), $5::text from verdict where said = 'ok')"
    " select said, svc.member_json(a, coalesce($3::text, m.role), m.joined_at)"
    " from verdict, m join svc.account a on a.id = m.account_id";

class MemberChange : public db::RowSink {
  public:
    void row(const Row& row) override {
        found = true;
        forbidden = row.text(0) == "forbidden";
        is_last_owner = row.text(0) == "last";
        member = row.text(1);
    }
    bool found = false, forbidden = false, is_last_owner = false;
    std::string member;
};

// `role`: none if they are to leave. Gives the member as JSON.
Task<identity::Result<std::string>> change(const Call& call, const std::string& org,
                                           const db::Param& role) {
    if (!base::is_uuid(call.id))
        co_return identity::refusal(Code::not_found, "The organisation has no such member.");
    const User& actor = *call.caller->user;
    const std::string member = base::lower(call.id);
    const db::Param params[] = {org, member, role, actor.id, call.exchange.remote()};
    MemberChange came;
    const HeldSession held(call);
    const db::Command commands[] = {
        held.command(), identity::command("svc_member_change", kMemberChange, params, &came)};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!came.found)
        co_return identity::refusal(Code::not_found, "The organisation has no such member.");
    if (came.forbidden)
        co_return forbidden(
            "Only owners and admins may do this. Only owners may add or remove owners.");
    if (came.is_last_owner)
        co_return identity::refusal(
            Code::last_owner,
            "The organisation needs an owner. Make another member an owner first.");
    co_return std::move(came.member);
}

}  // namespace

Task<Done> members(Call& call) {
    const auto org = current_org(call);
    if (!org) co_return org.error();
    const auto page = page_of(call.exchange.head());
    if (!page) co_return page.error();
    const db::Param params[] = {*org, page->limit, page->offset};
    const auto rows = co_await json_rows(call.in, "svc_members", kMembers, params);
    if (!rows) co_return rows.error();
    answer_rows(call.exchange, "members", *rows);
    co_return Done();
}

Task<Done> change_member(Call& call) {
    const auto org = managed_org(call);
    if (!org) co_return org.error();
    const auto body = read_texts(call.exchange.body(), {"role"});
    if (!body) co_return body.error();
    const std::string_view role = text(*body, "role");
    if (!has_role(call.in.app, role))
        co_return identity::refusal(Code::invalid_role, kNoSuchOrgRole, "role");
    const auto member = co_await change(call, *org, role);
    if (!member) co_return member.error();
    answer_row(call.exchange, "member", {*member, 1});
    co_return Done();
}

// A member who may not manage the organisation may still leave it.
Task<Done> remove_member(Call& call) {
    const bool leaves = base::iequals(call.id, call.caller->user->id);
    const auto org = leaves ? current_org(call) : managed_org(call);
    if (!org) co_return org.error();
    const auto member = co_await change(call, *org, std::nullopt);
    if (!member) co_return member.error();
    if (leaves) call.in.identifier.sessions().forget(call.caller->session_hash);
    answer_ok(call.exchange);
    co_return Done();
}

Task<Done> invite(Call& call) {
    const auto org = managed_org(call);
    if (!org) co_return org.error();
    const auto body = read_texts(call.exchange.body(), {"email", "role"});
    if (!body) co_return body.error();
    const auto email = normalised_email(text(*body, "email"));
    if (!email) co_return identity::refusal(Code::invalid_email, kInvalidEmail, "email");
    const std::string_view role = text(*body, "role");
    if (!has_role(call.in.app, role))
        co_return identity::refusal(Code::invalid_role, kNoSuchOrgRole, "role");
    if (role == kOwner && call.caller->user->org_role != kOwner)
        co_return forbidden("Only an owner may add or remove owners.");
    const Done invited = co_await invite_to_org(call, *org, *email, role);
    if (!invited) co_return invited.error();
    answer_ok(call.exchange);
    call.exchange.reply().status = 201;
    co_return Done();
}

}  // namespace svc::auth::org
