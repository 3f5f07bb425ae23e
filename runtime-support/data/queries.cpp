#include "data/queries.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "data/call.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/query_text.hpp"
#include "data/sent_params.hpp"
#include "data/write/write_body.hpp"
#include "identity/command.hpp"
#include "json/json_reader.hpp"

namespace svc::data {

using route::Handled;
namespace {

constexpr std::size_t kMaxRows = 10000;

bool is_name(std::string_view name) {
    const auto fits = [](char c) {
        return base::is_lower(c) || base::is_digit(c) || c == '_' || c == '/';
    };
    return !name.empty() && std::ranges::all_of(name, fits);
}

bool lists(const Caller& caller, const Query& query) {
    const bool server = !caller.user && caller.is(principal::kServer);
    return server || caller.is(query.allow);
}

void append_query(std::string& out, const Query& query) {
    out += R"({"name":)";
    base::append_json_utf8(out, query.name);
    out += R"(,"description":)";
    base::append_json_utf8(out, query.description);
    out += R"(,"params":{)";
    for (std::size_t i = 0; i < query.params.size(); ++i) {
        if (i != 0) out += ',';
        base::append_json_utf8(out, query.params[i].name);
        out += R"(:{"type":)";
        base::append_json_utf8(out, query.kinds[i]);
        out += query.params[i].required ? R"(,"required":true})" : R"(,"required":false})";
    }
    out += R"(},"allow":[)";
    for (std::size_t i = 0; i < query.who.size(); ++i) {
        if (i != 0) out += ',';
        base::append_json_utf8(out, query.who[i]);
    }
    out += "]}";
}

std::optional<Error> read_params(std::string_view body, const Query& query, json::Values& values) {
    const auto sent = sent_params(body);
    if (!sent) return sent.error();
    json::JsonReader reader(*sent);
    if (!json::read_members(reader, query.params, values))
        return bad_params(reader.mistake().message, reader.mistake().field);
    for (unsigned i = 0; i < query.params.size(); ++i) {
        if (!query.params[i].required || values[i].state == json::Slot::given) continue;
        const std::string name(query.params[i].name);
        return bad_params(name + " is required.", name);
    }
    return std::nullopt;
}

// Null sent on purpose is null; what is not sent takes its fallback.
std::vector<db::Param> bind_params(const Query& query, const json::Values& values) {
    std::vector<db::Param> params(query.params.size());
    for (const Fallback& fallback : query.fallbacks) {
        if (values[fallback.param].state == json::Slot::absent) {
            params[fallback.param] = fallback.text;
        }
    }
    for (unsigned i = 0; i < query.params.size(); ++i) {
        if (values[i].state == json::Slot::given) params[i] = values[i].text;
    }
    return params;
}

// The query of this name, where the caller may run it.
Result<const Query*> query_of(std::string_view name, const Caller& caller, const App& app) {
    if (!is_name(name)) return bad_params("This is not a valid name of a query.");
    const auto at = std::ranges::find(app.queries, name, &Query::name);
    if (at == app.queries.end()) return Error{Code::not_found, "unknown query"};
    if (!caller.is((*at)->allow))
        return Error{Code::table_forbidden, "You may not run this query."};
    return *at;
}

// The header x-svc-admin, which an administrator's own session alone may send.
Result<bool> elevation(const http::Head& head, const Caller& caller) {
    const std::string_view asked = head.header("x-svc-admin");
    if (asked.empty()) return false;
    if (asked != "1") return bad_params("The header x-svc-admin must be 1.");
    const bool admin = caller.user && caller.user->is_admin && !caller.session_hash.empty();
    if (!admin) return Error{Code::admin_required, "Admin required"};
    return true;
}

// Local to its exchange, as the identity is.
db::Command elevate() {
    return identity::command("svc_elevate", "select set_config('svc.elevated', 'yes', true)", {});
}

Handled refuse(http::Exchange& exchange, const Error& error) {
    http::fail(exchange.reply(), error);
    return Handled::answered;
}

// The entity of a constraint says what it means. For a reference, the error does not say which side
// was written.
Error error_of(const db::Outcome& outcome, const App& app) {
    if (outcome.error().sqlstate == base::sqlstate::kReference && !outcome.error().external) {
        return {Code::conflict, "This would break a reference between rows."};
    }
    static const Entity kNone{};
    const auto named = [&](const Entity* entity) { return entity->name == outcome.error().table; };
    const auto at = std::ranges::find_if(app.entities, named);
    return to_error(outcome, at == app.entities.end() ? kNone : **at);
}

}  // namespace

void list_queries(http::Exchange& exchange, const Caller& caller, const App& app) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"queries":[)";
    bool first = true;
    for (const Query* query : app.queries) {
        if (!lists(caller, *query)) continue;
        if (!first) body += ',';
        first = false;
        append_query(body, *query);
    }
    body += "]}";
}

Task<Handled> run_query(std::string_view name, http::Exchange& exchange, const Caller& caller,
                        const App& app, db::Pool& pool) {
    const auto found = query_of(name, caller, app);
    if (!found) co_return refuse(exchange, found.error());
    const Query& query = **found;
    const auto elevated = elevation(exchange.head(), caller);
    if (!elevated) co_return refuse(exchange, elevated.error());
    const auto idempotency_key = write::read_idempotency_key(exchange, caller);
    if (!idempotency_key) co_return refuse(exchange, idempotency_key.error());
    json::Values values(query.params.size());
    if (const auto error = read_params(exchange.body(), query, values)) {
        co_return refuse(exchange, *error);
    }
    const std::vector<db::Param> params = bind_params(query, values);
    select::Shape shape(exchange.head());
    Envelope envelope(query, exchange.reply().body, kMaxRows);
    envelope.take(shape, exchange.reply());
    const bool past_policies = *elevated && !query.elevated.name.empty();
    std::vector<db::Command> commands;
    if (past_policies) commands.push_back(elevate());
    const Statement& statement = past_policies ? query.elevated : query.statement;
    commands.push_back({.statement = statement,
                        .params = params,
                        .sink = &envelope,
                        .row_by_row = true,
                        .ends_early = !query.writes});
    const write::Finish finish = [&](std::size_t rows) {
        envelope.finish(query.writes ? rows : envelope.rows());
    };
    // A query may take its time: it shares no connection with those that do not.
    const write::WriteContext context{exchange, caller, pool, *idempotency_key, true};
    const db::Outcome outcome = co_await commit(context, commands, finish);
    if (session_ended(outcome)) {
        exchange.reply().body.clear();
        co_return Handled::session_ended;
    }
    if (!outcome.ok) co_return refuse(exchange, error_of(outcome, app));
    co_return Handled::answered;
}

}  // namespace svc::data
