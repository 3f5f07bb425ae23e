// The usage of the app's models.
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "operate/ai_usage.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualDays = 7, kMostDays = 90;

void show_usage(Context& context, const Request& request, Response& response) {
    const int days = limit_of(request, kUsualDays, kMostDays, response, "days");
    if (days == 0) return;
    const auto env = environment_of(request, response);
    if (!env) return;
    const std::string database = database_of(context, request, *env, response);
    if (!database.empty()) response.body = "{\"days\":" + ai_usage_json(database, days) + '}';
}

}  // namespace

void bind_ai(RouteTable& table) {
    table.add({"GET", "/projects/:id/ai/usage", Need::read, Role::viewer, show_usage},
              {"days", "env"});
}

}  // namespace svc::devapi
