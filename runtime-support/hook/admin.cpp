#include "hook/admin.hpp"

#include "auth/json_rows.hpp"
#include "auth/routes.hpp"
#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "db/one_value.hpp"
#include "hook/secrets.hpp"
#include "http/request/params.hpp"
#include "identity/command.hpp"

namespace svc::hook {
namespace {

using auth::Call;
using auth::Need;
using route::Done;

constexpr std::string_view kHooks =
    "select json_build_object('name', h.name, 'kind', 'in', 'scheme', h.scheme)::text, h.name"
    " from svc.hook_in h union all"
    " select json_build_object('name', o.name, 'kind', 'out', 'url', o.url,"
    " 'failingSince', svc.iso_time(s.failing_since), 'offAt', svc.iso_time(s.off_at))::text, o.name"
    " from svc.hook_out o join svc.hook_out_state s on s.hook = o.name order by 2";

constexpr std::string_view kDeliveries =
    "select json_build_object('id', d.id, 'webhook', d.hook, 'event', d.event,"
    " 'table', d.table_name, 'rowId', d.row_id, 'status', d.status, 'attempts', d.attempts,"
    " 'nextAt', case when d.status in ('waiting', 'sending') then svc.iso_time(d.next_at) end,"
    " 'lastStatus', d.last_status, 'error', nullif(d.error, ''),"
    " 'createdAt', svc.iso_time(d.created_at), 'endedAt', svc.iso_time(d.ended_at))::text"
    " from svc.delivery d where ($3::text = '' or d.hook = $3::text)"
    " and ($4::text = '' or d.status = $4::text)"
    " order by d.id desc limit $1::integer offset $2::integer";

constexpr std::string_view kRedeliver = "select svc.redeliver($1::uuid)";

void answer_secret(const Call& call, Scheme scheme, std::string_view secret) {
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"secret":)";
    base::append_json(body, secret);
    if (const std::string note = secret_note(scheme); !note.empty()) {
        body += R"(,"note":)";
        base::append_json(body, note);
    }
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
}

// A webhook with a generated secret. The project's secrets are known to those who set them, and to
// nobody else.
Task<identity::Result<WebhookIn>> own_hook(const Call& call) {
    auto hook = co_await webhook_in(call.in.system, call.in.settings.secret, call.id);
    if (!hook) co_return hook.error();
    if (!*hook) co_return identity::refusal(Code::not_found, "The app has no such webhook.");
    if (!(*hook)->secret_name.empty())
        co_return identity::refusal(Code::conflict,
                                    "This webhook is signed with the project's secret " +
                                        (*hook)->secret_name +
                                        ". It is shown to nobody; the person who set it knows it.");
    if ((*hook)->scheme == Scheme::none)
        co_return identity::refusal(Code::conflict, "Calls of this webhook are not signed.");
    co_return std::move(**hook);
}

Task<Done> show_secret(Call& call) {
    const auto hook = co_await own_hook(call);
    if (!hook) co_return hook.error();
    if (hook->secrets.empty())
        co_return identity::refusal(
            Code::unavailable, "The secret of the webhook cannot be read right now. Try again.");
    answer_secret(call, hook->scheme, hook->secrets.front());
    co_return Done();
}

Task<Done> replace_secret(Call& call) {
    const auto hook = co_await own_hook(call);
    if (!hook) co_return hook.error();
    const auto made = co_await rotate(call.in.system, call.in.settings.secret, call.id);
    if (!made) co_return made.error();
    answer_secret(call, hook->scheme, *made);
    co_return Done();
}

Task<Done> list_hooks(Call& call) {
    const auto rows = co_await auth::json_rows(call.in, "svc_hooks", kHooks, {});
    if (!rows) co_return rows.error();
    auth::answer_rows(call.exchange, "webhooks", *rows);
    co_return Done();
}

Task<Done> list_deliveries(Call& call) {
    const std::string_view query = call.exchange.head().query;
    const auto page = auth::page_of(call.exchange.head());
    if (!page) co_return page.error();
    const std::string hook = http::query_param(query, "webhook").value;
    const std::string status = http::query_param(query, "status").value;
    const db::Param params[] = {page->limit, page->offset, hook, status};
    const auto rows = co_await auth::json_rows(call.in, "svc_deliveries", kDeliveries, params);
    if (!rows) co_return rows.error();
    auth::answer_rows(call.exchange, "deliveries", *rows);
    co_return Done();
}

Task<Done> redeliver(Call& call) {
    const identity::Refusal none = identity::refusal(
        Code::not_found, "There is no ended delivery with this id, or its webhook was removed.");
    if (!base::is_uuid(call.id)) co_return none;
    db::OneFlag found;
    const db::Param params[] = {call.id};
    const db::Command command = identity::command("svc_redeliver", kRedeliver, params, &found);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!found.set) co_return none;
    call.exchange.reply().body = R"({"ok":true})";
    co_return Done();
}

constexpr std::string_view kDeliveryParams[] = {"webhook", "status", "limit", "offset"};

constexpr auth::AuthRoute kRoutes[] = {
    {Method::get, "/runtime/webhooks", Need::admin, list_hooks},
    {Method::get, "/runtime/webhooks/<id>/secret", Need::admin, show_secret},
    {Method::post, "/runtime/webhooks/<id>/rotate", Need::admin, replace_secret},
    {Method::get, "/runtime/deliveries", Need::admin, list_deliveries, kDeliveryParams},
    {Method::post, "/runtime/deliveries/<id>/redeliver", Need::admin, redeliver},
};

}  // namespace

std::vector<route::Endpoint> admin_routes(const auth::Context& in) {
    std::vector<route::Endpoint> endpoints;
    for (const auth::AuthRoute& route : kRoutes) endpoints.push_back(auth::endpoint_of(in, route));
    return endpoints;
}

}  // namespace svc::hook
