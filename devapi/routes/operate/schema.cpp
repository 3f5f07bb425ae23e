// The schema of an environment's database.
#include "calls/environment.hpp"
#include "operate/schema_json.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

void schema(Context& context, const Request& request, Response& response) {
    const auto env = environment_of(request, response);
    if (!env) return;
    const std::string database = database_of(context, request, *env, response);
    if (!database.empty()) response.body = schema_json(database);
}

}  // namespace

void bind_schema(RouteTable& table) {
    table.add({"GET", "/projects/:id/schema", Need::read, Role::viewer, schema}, {"env"});
}

}  // namespace svc::devapi
