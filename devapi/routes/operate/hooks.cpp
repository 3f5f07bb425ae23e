// Webhooks of an app: what there is, how deliveries went, and one sent once more.
#include "operate/hooks.hpp"

#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "operate/hook_secret.hpp"
#include "operate/runs.hpp"
#include "operate/short_id.hpp"
#include "routes/operate/whole_id.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualDeliveries = 30, kMostDeliveries = 200;

// The app's database; empty: answered.
std::string with_hooks(Context& context, const Request& request, std::optional<Env> env,
                       Response& response) {
    std::string database = env ? database_of(context, request, *env, response) : std::string();
    if (database.empty() || has_runs(database)) return database;
    response.refuse(Code::no_app,
                    "This app was built before svc ran webhooks. Apply its contract once more.");
    return {};
}

void list_hooks(Context& context, const Request& request, Response& response) {
    const std::string database =
        with_hooks(context, request, environment_of(request, response), response);
    if (!database.empty()) response.body = hooks_json(database);
}

void list_deliveries(Context& context, const Request& request, Response& response) {
    DeliveriesRequest wanted;
    wanted.hook = query_value(request.query, "hook");
    wanted.before = query_value(request.query, "before");
    if (!wanted.before.empty() && !base::is_uuid(wanted.before))
        return bad_parameter(response, "before", "Must be the id of a delivery.");
    wanted.limit = limit_of(request, kUsualDeliveries, kMostDeliveries, response);
    if (wanted.limit == 0) return;
    const std::string database =
        with_hooks(context, request, environment_of(request, response), response);
    if (!database.empty())
        response.body = "{\"deliveries\":" + deliveries_json(database, wanted) + '}';
}

void redeliver_one(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    if (!fields.good(response) || !may_change(request, env, response)) return;
    const std::string database = with_hooks(context, request, env, response);
    if (database.empty()) return;
    const std::string delivery = whole_id({database, kDeliveryRows, "delivery", "delivery"},
                                          request.params.at("delivery"), response);
    if (delivery.empty()) return;
    const auto sent = redeliver(database, delivery);
    if (!sent) return response.refuse(Code::not_found, "There is no delivery '" + delivery + "'.");
    if (!*sent)
        return response.refuse(
            Code::conflict,
            "The live contract no longer has this webhook. First apply a contract that has it.");
    response.send(202, {{"redelivered", delivery}});
}

// The webhook's secret, where svc made it. None: answered.
std::optional<HookSecret> own_secret(const std::string& database, const std::string& secret,
                                     const std::string& name, Response& response) {
    auto found = hook_secret(database, secret, name);
    if (!found)
        response.refuse(Code::not_found,
                        "The live contract has no incoming webhook '" + name + "'.");
    else if (!found->named.empty())
        response.refuse(Code::conflict,
                        "This webhook is signed with the project's secret " + found->named +
                            ". Nobody is shown it; the person who set it knows it.");
    else if (found->scheme == hook::Scheme::none)
        response.refuse(Code::conflict, "Calls of this webhook are not signed.");
    else if (found->value.empty())
        response.refuse(Code::unavailable, "The secret of the webhook cannot be read. Rotate it.");
    else
        return found;
    return std::nullopt;
}

void answer_secret(Response& response, hook::Scheme scheme, const std::string& secret) {
    response.header("Cache-Control", "no-store");
    json body = {{"secret", secret}};
    if (std::string note = hook::secret_note(scheme); !note.empty()) body["note"] = std::move(note);
    response.send(200, body);
}

void show_hook_secret(Context& context, const Request& request, Response& response) {
    const auto env = environment_of(request, response);
    if (!env || !may_change(request, *env, response)) return;
    const std::string database = with_hooks(context, request, env, response);
    if (database.empty()) return;
    const auto found = own_secret(database, context.apps.secret_of(request.project->id, *env),
                                  request.params.at("hook"), response);
    if (found) answer_secret(response, found->scheme, found->value);
}

void rotate_hook_secret(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields);
    const std::string name = request.params.at("hook");
    if (!fields.good(response) || !may_change(request, env, response)) return;
    const std::string database = with_hooks(context, request, env, response);
    if (database.empty()) return;
    const std::string secret = context.apps.secret_of(request.project->id, env);
    if (const auto found = own_secret(database, secret, name, response))
        answer_secret(response, found->scheme, replace_hook_secret(database, secret, name));
}

}  // namespace

void bind_hooks(RouteTable& table) {
    table.add({"GET", "/projects/:id/hooks", Need::read, Role::viewer, list_hooks}, {"env"});
    table.add(
        {"GET", "/projects/:id/hooks/:hook/secret", Need::change, Role::viewer, show_hook_secret},
        {"env"});
    table.add({"POST", "/projects/:id/hooks/:hook/rotate", Need::change, Role::viewer,
               rotate_hook_secret});
    table.add({"GET", "/projects/:id/deliveries", Need::read, Role::viewer, list_deliveries},
              {"hook", "before", "limit", "env"});
    table.add({"POST", "/projects/:id/deliveries/:delivery/redeliver", Need::change, Role::viewer,
               redeliver_one});
}

}  // namespace svc::devapi
