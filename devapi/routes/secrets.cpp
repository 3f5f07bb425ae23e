// What a project's app needs to know and nobody may read: names go out, values never do.
#include "platform/secrets.hpp"

#include "contract/shape.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostCharacters = 10000;
constexpr std::size_t kSecretBody = 256 * 1024;  // a value whose characters are all escaped

bool is_environment(const std::string& env) {
    return env == "dev" || env == "prod" || env == "all";
}

bool is_secret_name(const std::string& name) {
    return contract::is_secret(std::string(contract::kSecretPrefix) + name);
}

void list_secrets(Context& context, const Request& request, Response& response) {
    json secrets = json::array();
    for (const auto& secret : context.secrets.list(request.project->id))
        secrets.push_back(
            {{"name", secret.name}, {"env", secret.env}, {"updatedAt", secret.updated_at}});
    response.send(200, {{"secrets", secrets}});
}

void put_secret(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string& name = request.params.at("name");
    const std::string value = fields.required_text("value", 1, kMostCharacters);
    const std::string env = fields.text("env", 1, 10).value_or("all");
    if (!is_secret_name(name))
        fields.wrong("name", "Takes letters, digits and _, at most 100 of them.");
    if (!is_environment(env)) fields.wrong("env", "Must be dev, prod or all.");
    if (!fields.good(response)) return;
    const auto kept = context.secrets.put(request.project->id, name, env, value);
    context.apps.share_secrets(request.project->id);
    response.send(
        kept.created ? 201 : 200,
        {{"name", name}, {"env", env}, {"created", kept.created}, {"updatedAt", kept.updated_at}});
}

void delete_secret(Context& context, const Request& request, Response& response) {
    const std::string& name = request.params.at("name");
    const std::string env = query_value(request.query, "env");
    if (!env.empty() && !is_environment(env)) {
        Fields fields(request);
        fields.wrong("env", "Must be dev, prod or all.");
        fields.good(response);
        return;
    }
    const auto envs = context.secrets.remove(request.project->id, name, env);
    if (envs.empty()) return response.refuse(Code::secret_not_found, "There is no such secret.");
    context.apps.share_secrets(request.project->id);
    response.send(200, {{"deleted", name}, {"envs", envs}});
}

}  // namespace

void bind_secrets(RouteTable& table) {
    table.add({"GET", "/projects/:id/secrets", Need::read, Role::viewer, list_secrets});
    table.add(
        {"PUT", "/projects/:id/secrets/:name", Need::apply, Role::admin, put_secret, kSecretBody});
    table.add({"DELETE", "/projects/:id/secrets/:name", Need::apply, Role::admin, delete_secret},
              {"env"});
}

}  // namespace svc::devapi
