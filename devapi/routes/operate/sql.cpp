// SQL of a developer's own: several statements, one transaction, past row-level security.
#include "operate/sql_batch.hpp"

#include <algorithm>

#include "base/sql_state.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostSql = 256 * 1024;  // characters
constexpr std::size_t kSqlBody = 1024 * 1024;

json refusal(const std::string& error, std::string_view code, std::size_t position) {
    json out = {{"error", error}, {"code", code}};
    if (position > 0) out["position"] = position;
    return out;
}

void send_failure(const SqlAnswer& answer, Response& response) {
    if (base::sqlstate::is_lost(answer.sqlstate))
        return response.refuse(Code::unavailable,
                               "The database cannot be reached right now. Try again.");
    json out = refusal(answer.error, answer.sqlstate, answer.position);
    out["statement"] = answer.statement;
    if (!answer.detail.empty()) out["detail"] = answer.detail;
    if (!answer.hint.empty()) out["hint"] = answer.hint;
    response.send(400, out);
}

// Envelopes as they are: their numbers keep every digit.
void send_results(const std::vector<std::string>& results, Response& response) {
    std::string list;
    for (const std::string& result : results) list.append(list.empty() ? "" : ",").append(result);
    response.body = "{\"results\":[" + list + "]}";
}

// Tables beside the contract's, by the same way as a server's own migrations.
void define(Context& context, const Request& request, const std::string& sql, Env env,
            Response& response) {
    if (!may_change(request, env, response)) return;
    if (env != Env::dev)
        return response.send(
            400, refusal("Tables can be added only in dev. Deploy to bring them to prod.",
                         base::sqlstate::kForbidden, 0));
    const Project& project = *request.project;
    if (database_of(context, request, env, response).empty()) return;
    if (const auto error = context.apps.add_unmanaged_tables({project.id, project.slug}, sql)) {
        const bool refused = error->code == Code::params_invalid;
        return response.send(refused ? 400 : status(error->code),
                             refusal(error->message,
                                     !error->sqlstate.empty() ? error->sqlstate
                                     : refused                ? base::sqlstate::kForbidden
                                                              : name(error->code),
                                     0));
    }
    send_results({R"({"ok":true,"rows":[],"rowCount":0,"fields":[],"truncated":false})"}, response);
}

bool is_silent(const query::BatchStatement& statement) { return statement.silent; }

void run(Context& context, const Request& request, const query::Batch& batch, Env env,
         Response& response) {
    const ConcurrencyLimit::Slot slot(context.operations, request.project->workspace_id);
    if (busy(slot, response)) return;
    const auto database = operated(context, request, env, response);
    if (!database) return;
    SqlAnswer answer = run_batch(*database, batch, true, request.hung_up);
    // An error before the start of the statement, such as an unknown name, may be shown.
    const bool read_alone = !answer.wrote() && !base::sqlstate::is_of_names(answer.sqlstate);
    if (answer.wrote()) {
        if (!may_change(request, env, response)) return;
        // A caller who writes sees rows only with the right to read them.
        const bool silent = std::ranges::all_of(batch.statements, is_silent);
        if (!silent && !may_read(request, response)) return;
        if (!keep_before_write(context, request, env, response)) return;
        // A restore may have put another database in its place meanwhile.
        const auto now = operated(context, request, env, response);
        if (!now) return;
        answer = run_batch(*now, batch, false, request.hung_up);
        log::write(log::Level::info, "developer_sql",
                   {{"project", request.project->id},
                    {"env", name(env)},
                    {"user", request.caller.user_id},
                    {"outcome", answer.sqlstate.empty() ? "committed" : answer.sqlstate}});
    }
    if (read_alone && !may_read(request, response)) return;
    if (!answer.sqlstate.empty()) return send_failure(answer, response);
    send_results(answer.results, response);
}

void sql(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string text = fields.required_text("sql", 1, kMostSql);
    const Env env = environment_of(fields);
    if (!may_read_or_change(request, env, response)) return;
    if (text.find('\0') != std::string::npos) fields.wrong("sql", "Must not contain a zero byte.");
    if (!fields.good(response)) return;
    const query::Batch batch = query::read_batch(text);
    if (batch.definitions) return define(context, request, text, env, response);
    if (!batch.refused.empty())
        return response.send(400, refusal(batch.refused, batch.sqlstate, batch.position));
    if (batch.statements.empty())
        return bad_parameter(response, "sql", "Must contain a statement.");
    run(context, request, batch, env, response);
}

}  // namespace

void bind_sql(RouteTable& table) {
    table.add({"POST", "/projects/:id/sql", Need::read_or_change, Role::viewer, sql, kSqlBody});
}

}  // namespace svc::devapi
