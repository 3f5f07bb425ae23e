// Workflows, their runs and what became of them. Contracts declare workflows, and app servers do
// not run them yet: these answers are true of an app that has had no run.
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualRuns = 30, kMostRuns = 200;
constexpr const char* kNote =
    "App servers do not run workflows yet: there are no runs, and nothing was notified.";

bool has_workflow(Context& context, const Request& request, const std::string& id) {
    const auto contract = context.apps.state(request.project->id).contract;
    if (!contract) return false;
    const json parsed = json::parse(*contract, nullptr, false);
    if (!parsed.is_object()) return false;
    for (const json& workflow : parsed.value("workflows", json::array()))
        if (workflow.is_object() && workflow.value("id", json()) == json(id)) return true;
    return false;
}

bool known_workflow(Context& context, const Request& request, const std::string& id,
                    Response& response) {
    if (has_workflow(context, request, id)) return true;
    response.refuse(Code::not_found, "The app has no workflow '" + id + "'.");
    return false;
}

// The environment of a call that reads; empty: answered.
std::string environment_with_app(Context& context, const Request& request, Response& response) {
    std::string env = environment_of(request, response);
    if (env.empty() || database_of(context, request, env, response).empty()) return {};
    return env;
}

void logs(Context& context, const Request& request, Response& response) {
    const std::string workflow = query_value(request.query, "workflow");
    if (limit_of(request, kUsualRuns, kMostRuns, response) == 0) return;
    if (environment_with_app(context, request, response).empty()) return;
    if (!workflow.empty() && !known_workflow(context, request, workflow, response)) return;
    response.send(200,
                  {{"runs", json::array()}, {"notifications", json::array()}, {"note", kNote}});
}

void run_workflow(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string env = environment_of(fields);
    if (fields.good() && !may_change(request, env, response)) return;
    fields.text("as", 0, 254);
    if (!fields.good(response)) return;
    if (database_of(context, request, env, response).empty()) return;
    if (!known_workflow(context, request, request.params.at("workflow"), response)) return;
    response.refuse(501, "App servers do not run workflows yet: nothing was started.");
}

void read_run(Context& context, const Request& request, Response& response) {
    if (environment_with_app(context, request, response).empty()) return;
    response.refuse(Code::not_found, "There is no such run.");
}

void dead_letters(Context& context, const Request& request, Response& response) {
    if (limit_of(request, kUsualRuns, kMostRuns, response) == 0) return;
    if (environment_with_app(context, request, response).empty()) return;
    response.send(200, {{"deadLetters", json::array()}, {"note", kNote}});
}

void replay(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const auto ids = fields.texts("ids");
    const std::string env = environment_of(fields);
    if (!fields.good(response)) return;
    if (database_of(context, request, env, response).empty()) return;
    if (ids && !ids->empty())
        return response.refuse(Code::not_found, "There is no dead letter '" + ids->front() + "'.");
    response.send(200, {{"replayed", 0}});
}

}  // namespace

void bind_workflows(RouteTable& table) {
    table.add({"GET", "/projects/:id/logs", Need::any, Role::viewer, logs},
              {"workflow", "limit", "env"});
    table.add({"POST", "/projects/:id/workflows/:workflow/run", Need::change, Role::viewer,
               run_workflow, 1024 * 1024});
    table.add({"GET", "/projects/:id/runs/:run", Need::read, Role::viewer, read_run}, {"env"});
    table.add({"GET", "/projects/:id/dead-letters", Need::read, Role::viewer, dead_letters},
              {"limit", "env"});
    table.add({"POST", "/projects/:id/dead-letters/replay", Need::apply, Role::developer, replay});
}

}  // namespace svc::devapi
