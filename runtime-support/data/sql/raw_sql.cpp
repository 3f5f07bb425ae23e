#include "data/sql/raw_sql.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "data/envelope.hpp"
#include "data/sql/guard.hpp"
#include "data/sql/raw_body.hpp"
#include "data/sql/raw_rows.hpp"
#include "data/write/idempotency.hpp"
#include "identity/command.hpp"

namespace svc::data::sql {

namespace {

constexpr std::size_t kMaxRawRows = 10000;
// A query cannot write even where our reading of it was wrong.
constexpr std::string_view kBounds =
    "select set_config('transaction_read_only', $1::text, true),"
    " set_config('statement_timeout', '10s', true)";

// PostgreSQL takes exactly as many as the statement names.
std::optional<Error> check_params(const Reading& reading, std::size_t sent) {
    if (reading.params == sent) return std::nullopt;
    return bad_params("The statement names " + std::to_string(reading.params) +
                          " parameters, and " + std::to_string(sent) + " were sent.",
                      "params");
}

// The caller can fix the statement, so its errors are shown. Errors of values and of another
// database are mapped by to_error, as on other routes.
Error raw_error(const db::Outcome& outcome, const App& app, bool writes) {
    const std::string_view state = outcome.error().sqlstate;
    const bool ours = !outcome.error().external;
    if (ours && state == base::sqlstate::kForbidden) {
        return {writes ? Code::row_forbidden : Code::table_forbidden,
                writes ? "You may not write this row." : "You may not read this table."};
    }
    if (ours && base::sqlstate::is_of_statement(state)) {
        Error error =
            bad_params(state == base::sqlstate::kCanceled
                           ? "The statement took longer than 10 seconds. Ask for less at once."
                           : outcome.error().message);
        error.sqlstate = outcome.error().sqlstate;
        return error;
    }
    static const Entity kNone{};
    const Entity* entity = app.entity(outcome.error().table);
    return to_error(outcome, entity ? *entity : kNone);
}

void decline(http::Exchange& exchange, const Error& error) { http::fail(exchange.reply(), error); }

Task<> run_statement(bool writes, http::Exchange& exchange, const Caller& caller, const App& app,
                     db::Pool& pool) {
    const Result<std::optional<write::IdempotencyKey>> idempotency_key =
        writes ? write::read_idempotency_key(exchange, caller)
               : std::optional<write::IdempotencyKey>();  // what only reads may be repeated
    if (!idempotency_key) co_return decline(exchange, idempotency_key.error());
    const auto body = read_raw_body(exchange.body());
    if (!body) co_return decline(exchange, body.error());
    const auto reading = reading_of(body->sql);
    if (!*reading) co_return decline(exchange, reading->error());
    if (const auto error = check_params(**reading, body->params.size()))
        co_return decline(exchange, *error);
    const auto guarded = writes ? guard_exec(body->sql, **reading, app, caller)
                                : guard_query(body->sql, **reading, app, caller, kMaxRawRows);
    if (!guarded) co_return decline(exchange, guarded.error());

    RawRows rows(exchange.reply().body, kMaxRawRows);
    const db::Param read_only[] = {writes ? "off" : "on"};
    const db::Command commands[] = {identity::command("svc_raw_bounds", kBounds, read_only),
                                    {.statement = {.name = "?", .types = {}, .sql = guarded->text},
                                     .params = body->params,
                                     .sink = &rows,
                                     .row_by_row = true,
                                     .ends_early = !writes}};
    const write::Finish finish = [&](std::size_t written) {
        rows.finish(writes ? written : rows.rows());
    };
    const write::WriteContext context{exchange, caller, pool, *idempotency_key, true};
    const db::Outcome outcome = co_await commit(context, commands, finish);
    if (!outcome.ok) decline(exchange, raw_error(outcome, app, writes));
}

// {"ok":true,"tables":[{"name","columns":[{"name","type"}]}]}: those that the caller has any grant
// for, with the columns that they may read.
void show_schema(http::Exchange& exchange, const Caller& caller, const App& app) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"tables":[)";
    bool first = true;
    for (const Entity* entity : app.entities) {
        const Access& access = entity->access;
        const PrincipalSet who = caller.principals;
        const bool used =
            access.reads(who) || access.creates(who) || access.updates(who) || access.removes(who);
        if (!used) continue;
        body += first ? "{\"name\":" : ",{\"name\":";
        first = false;
        base::append_json_utf8(body, entity->name);
        body += ",\"columns\":";
        append_fields(body, *entity, visible_columns(*entity, caller.principals).columns);
        body += '}';
    }
    body += "]}";
}

}  // namespace

Task<> run_raw(std::string_view what, http::Exchange& exchange, const Caller& caller,
               const App& app, db::Pool& pool) {
    if (what == "query" || what == "exec") {
        co_await run_statement(what == "exec", exchange, caller, app, pool);
    } else if (what == "schema") {
        show_schema(exchange, caller, app);
    }
}

}  // namespace svc::data::sql
