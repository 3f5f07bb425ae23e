// The routes through which administrators see and change accounts.
#include "auth/account/admin_change.hpp"
#include "auth/answer.hpp"
#include "auth/json_rows.hpp"
#include "auth/mfa/admin_factors.hpp"
#include "base/formats.hpp"
#include "base/json_text.hpp"

namespace svc::auth::account {
namespace {

constexpr std::string_view kUsers =
    "select svc.user_json(a) from svc.account a order by a.created_at, a.id"
    " limit $1::integer offset $2::integer";

constexpr std::string_view kEvents =
    "select json_build_object('id', e.id::text, 'at', svc.iso_time(e.at), 'event', e.event,"
    " 'accountId', e.account_id, 'actorId', e.actor_id, 'email', e.email, 'address', e.address,"
    " 'detail', e.detail)::text"
    " from svc.audit e where $3::uuid is null or e.account_id = $3::uuid"
    " order by e.id desc limit $1::integer offset $2::integer";

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

// GET /auth/audit?account=&limit=&offset=
Task<Done> list_events(Call& call) {
    const auto page = page_of(call.exchange.head());
    if (!page) co_return page.error();
    const std::string account = http::query_param(call.exchange.head().query, "account").value;
    if (!account.empty() && !base::is_uuid(account))
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
