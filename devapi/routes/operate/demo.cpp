// Dev rows back to the seeds.
#include "apps/database/demo.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

json state_json(const std::string& database) {
    const DemoState state = demo_state(database);
    return {
        {"available", state.available},
        {"lastResetAt", state.last_reset_at.empty() ? json(nullptr) : json(state.last_reset_at)}};
}

void show_demo(Context& context, const Request& request, Response& response) {
    const std::string database = database_of(context, request, Env::dev, response);
    if (!database.empty()) response.send(200, state_json(database));
}

void reset_demo_rows(Context& context, const Request& request, Response& response) {
    const std::string database = database_of(context, request, Env::dev, response);
    if (database.empty()) return;
    const Project& project = *request.project;
    if (const auto error =
            context.apps.reset_demo({project.id, project.slug}, request.caller.user_id))
        return response.refuse(error->code, error->message);
    response.send(200, state_json(database));
}

}  // namespace

void bind_demo(RouteTable& table) {
    table.add({"GET", "/projects/:id/demo-reset", Need::read, Role::viewer, show_demo});
    table.add({"POST", "/projects/:id/demo-reset", Need::apply, Role::developer, reset_demo_rows});
}

}  // namespace svc::devapi
