// Workflows, their runs and dead letters, past policies.
#include <algorithm>

#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "common/meant.hpp"
#include "http/fields.hpp"
#include "log/log.hpp"
#include "operate/runs.hpp"
#include "operate/short_id.hpp"
#include "routes/operate/whole_id.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualRuns = 30, kMostRuns = 200;
constexpr std::size_t kInput = 1024 * 1024;

// The app's database; empty: answered.
std::string with_runs(Context& context, const Request& request, std::optional<Env> env,
                      Response& response) {
    std::string database = env ? database_of(context, request, *env, response) : std::string();
    if (database.empty() || has_runs(database)) return database;
    response.refuse(Code::no_app,
                    "This app was built before svc ran workflows. Apply its contract once more.");
    return {};
}

// The id of the run that the path names. Empty: answered.
std::string run_of(const std::string& database, const Request& request, Response& response) {
    return whole_id({database, kRunRows, "run", "run"}, request.params.at("run"), response);
}

void logs(Context& context, const Request& request, Response& response) {
    RunsRequest wanted;
    wanted.workflow = query_value(request.query, "workflow");
    wanted.status = query_value(request.query, "status");
    wanted.before = query_value(request.query, "before");
    if (!wanted.before.empty() && !base::is_uuid(wanted.before))
        return bad_parameter(response, "before", "Must be the id of a run.");
    wanted.limit = limit_of(request, kUsualRuns, kMostRuns, response);
    if (wanted.limit == 0) return;
    wanted.values = request.caller.has("read");  // of rows, as everything that shows rows
    const std::string database =
        with_runs(context, request, environment_of(request, response), response);
    if (database.empty()) return;
    if (!wanted.workflow.empty())
        if (const auto why = unknown_workflow(database, wanted.workflow))
            return response.refuse(Code::not_found, *why);
    response.body = "{\"runs\":" + runs_json(database, wanted) +
                    ",\"notifications\":" + notices_json(database, wanted.limit) + '}';
}

void list_workflows(Context& context, const Request& request, Response& response) {
    const std::string database =
        with_runs(context, request, environment_of(request, response), response);
    if (!database.empty()) response.body = "{\"workflows\":" + workflows_json(database) + '}';
}

void refuse(const Refusal& refusal, Response& response) {
    if (refusal.why == Refusal::Why::not_found)
        return response.refuse(Code::not_found, refusal.message);
    if (refusal.why == Refusal::Why::nobody) return bad_parameter(response, "as", refusal.message);
    const json details = json::parse(refusal.details, nullptr, false);
    const bool named = details.is_array() && !details.empty();
    bad_parameter(response, named ? details[0].value("field", "input").c_str() : "input",
                  refusal.message);
    if (details.is_array()) {
        json body = json::parse(response.body);
        body["details"] = details;
        response.body = body.dump();
    }
}

// An object of the body as it was sent; empty: there is none, or it is null.
std::string object_of(const Request& request, const char* name, Fields& fields) {
    if (!fields.has(name)) return {};
    const auto value = json_member(request.body, name).value_or("");
    if (value.starts_with('{')) return std::string(value);
    fields.wrong(name, "Must be an object.");
    return {};
}

void run_workflow(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    if (fields.good() && !may_change(request, env, response)) return;
    StartRequest wanted;
    wanted.as = fields.text("as", 0, 254).value_or("");
    wanted.row = fields.text("row", 1, 64).value_or("");
    wanted.input = object_of(request, "input", fields);
    wanted.old = object_of(request, "old", fields);
    if (!fields.good(response)) return;
    const std::string database = with_runs(context, request, env, response);
    if (database.empty()) return;
    wanted.workflow = request.params.at("workflow");
    const auto known = workflow_ids(database);
    if (std::ranges::find(known, wanted.workflow) == known.end())
        return response.refuse(Code::not_found, with_meant("The live contract has no workflow '" +
                                                               wanted.workflow + "'.",
                                                           wanted.workflow, known));
    const Started started = start_run(database, wanted);
    if (started.run.empty()) return refuse(started.refusal, response);
    log::write(log::Level::info, "developer_run",
               {{"project", request.project->id},
                {"env", name(env)},
                {"user", request.caller.user_id},
                {"workflow", wanted.workflow},
                {"run", started.run}});
    json body = {{"runId", started.run}};
    if (started.earlier) body["earlier"] = true;
    response.send(202, body);
}

void read_run(Context& context, const Request& request, Response& response) {
    const std::string database =
        with_runs(context, request, environment_of(request, response), response);
    const std::string run = database.empty() ? "" : run_of(database, request, response);
    if (run.empty()) return;
    const auto found = read_run_json(database, run);
    if (!found) return response.refuse(Code::not_found, "There is no run '" + run + "'.");
    response.body = "{\"run\":" + *found + '}';
}

void cancel(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    if (!fields.good(response) || !may_change(request, env, response)) return;
    const std::string database = with_runs(context, request, env, response);
    const std::string run = database.empty() ? "" : run_of(database, request, response);
    if (run.empty()) return;
    if (!cancel_run(database, run)) {
        const bool known = has_run(database, run);
        return known ? response.refuse(Code::conflict, "This run has already ended.")
                     : response.refuse(Code::not_found, "There is no run '" + run + "'.");
    }
    response.body = "{\"cancelled\":\"" + run + "\"}";
}

void dead_letters(Context& context, const Request& request, Response& response) {
    const int limit = limit_of(request, kUsualRuns, kMostRuns, response);
    if (limit == 0) return;
    const std::string database =
        with_runs(context, request, environment_of(request, response), response);
    if (!database.empty())
        response.body = "{\"deadLetters\":" + dead_letters_json(database, limit) + '}';
}

// The environment and the dead letters of a body; their ids may be missing.
struct Named {
    std::string database;  // empty: answered
    std::optional<std::vector<std::string>> ids;
};

Named named_letters(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    Named out;
    out.ids = fields.texts("ids");
    const Env env = environment_of(fields);
    if (!fields.good(response)) return out;
    out.database = with_runs(context, request, env, response);
    if (out.database.empty() || !out.ids) return out;
    for (std::string& id : *out.ids) {
        id = whole_id({out.database, kDeadRows, "ids", "dead letter"}, id, response);
        if (id.empty()) return {};
    }
    return out;
}

void replay(Context& context, const Request& request, Response& response) {
    const Named named = named_letters(context, request, response);
    if (named.database.empty()) return;
    if (named.ids)
        if (const auto others = not_dead(named.database, *named.ids); !others.empty())
            return response.refuse(Code::not_found,
                                   "There is no dead letter '" + others.front() + "'.");
    const int replayed =
        named.ids ? replay_runs(named.database, *named.ids) : replay_all_runs(named.database);
    response.send(200, {{"replayed", replayed}});
}

}  // namespace

void bind_workflows(RouteTable& table) {
    Route runs{"GET", "/projects/:id/logs", Need::any, Role::viewer, logs};
    runs.shows = true;
    table.add(runs, {"workflow", "status", "before", "limit", "env"});
    table.add({"GET", "/projects/:id/workflows", Need::read, Role::viewer, list_workflows},
              {"env"});
    table.add({"POST", "/projects/:id/workflows/:workflow/run", Need::change, Role::viewer,
               run_workflow, kInput});
    Route run{"GET", "/projects/:id/runs/:run", Need::read, Role::viewer, read_run};
    run.shows = true;
    table.add(run, {"env"});
    table.add({"POST", "/projects/:id/runs/:run/cancel", Need::change, Role::viewer, cancel});
    table.add({"GET", "/projects/:id/dead-letters", Need::read, Role::viewer, dead_letters},
              {"limit", "env"});
    table.add({"POST", "/projects/:id/dead-letters/replay", Need::apply, Role::developer, replay});
}

}  // namespace svc::devapi
