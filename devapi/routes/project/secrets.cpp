// Secrets of a project: answers have names, never values.
#include "platform/keys/secrets.hpp"

#include <algorithm>
#include <cctype>

#include "base/ascii.hpp"
#include "base/url_host.hpp"
#include "contract/shape/shape.hpp"
#include "http/fields.hpp"
#include "identity/secret/project_secret.hpp"
#include "platform/keys/unsent.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostCharacters = 10000;
constexpr std::size_t kSecretBody = 256 * 1024;  // a value whose characters are all escaped

// Reads the member env. `fields` notes what is wrong with it.
SecretEnv secret_env(Fields& fields) {
    const auto env = base::read_word<SecretEnv>(fields.text("env", 1, 10).value_or("all"));
    if (!env) fields.wrong("env", "Must be dev, prod or all.");
    return env.value_or(SecretEnv::all);
}

bool is_secret_name(const std::string& name) {
    return contract::is_secret(std::string(contract::kSecretPrefix) + name);
}

// A name or an address, as a contract's addresses say it: without scheme and port.
bool is_host(const std::string& host) {
    return !host.empty() && host == base::host_of("https://" + host) &&
           std::ranges::all_of(host, [](char c) {
               return base::is_alphanumeric(c) ||
                      std::string_view(".-:[]_").find(c) != std::string_view::npos;
           });
}

// None if the field is absent.
SecretHosts hosts_of(Fields& fields, const char* name) {
    auto hosts = fields.texts(name);
    if (hosts && !std::ranges::all_of(*hosts, is_host))
        fields.wrong(name,
                     "Must be hosts in lower-case letters without scheme and port, such as "
                     "api.example.com.");
    return hosts;
}

json hosts_json(const SecretHosts& hosts) { return hosts ? json(*hosts) : json(nullptr); }

json secret_json(const SecretRecord& secret) {
    return {{"name", secret.name},
            {"env", base::word(secret.env)},
            {"hosts", hosts_json(secret.hosts)},
            {"updatedAt", secret.updated_at}};
}

// 503: the change is kept, but the app may still have the secret as it was.
void answer_unsent(Response& response) {
    response.header("Retry-After", "5");
    response.refuse(Code::unavailable,
                    "The change is stored, but a database of the app does not have it yet. svc "
                    "keeps trying. Send this again to see whether it is done.");
}

void list_secrets(Context& context, const Request& request, Response& response) {
    json secrets = json::array();
    for (const auto& secret : context.secrets.list(request.project->id))
        secrets.push_back(secret_json(secret));
    response.send(200, {{"secrets", secrets}});
}

void put_secret(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const std::string& name = request.params.at("name");
    const std::string value = fields.required_text("value", 1, kMostCharacters);
    const SecretEnv env = secret_env(fields);
    const SecretHosts hosts = hosts_of(fields, "hosts");
    if (!is_secret_name(name))
        fields.wrong("name", "Must have letters, digits and _, at most 100 of them.");
    if (!fields.good(response)) return;
    const auto kept = context.secrets.put(request.project->id, name, env, value, hosts);
    if (!context.apps.share_secrets(request.project->id)) return answer_unsent(response);
    response.send(kept.created ? 201 : 200, {{"name", name},
                                             {"env", base::word(env)},
                                             {"created", kept.created},
                                             {"hosts", hosts_json(kept.hosts)},
                                             {"updatedAt", kept.updated_at}});
}

// The value stays, and nobody has to know it.
void allow_hosts(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const SecretEnv env = secret_env(fields);
    const SecretHosts hosts = hosts_of(fields, "allow");
    if (!fields.has("allow") || (hosts && hosts->empty()))
        fields.wrong("allow", "Name at least one host.");
    if (!fields.good(response)) return;
    const auto secret =
        context.secrets.allow(request.project->id, request.params.at("name"), env, *hosts);
    if (!secret)
        return response.refuse(DevCode::secret_not_found, "The project has no such secret.");
    if (!context.apps.share_secrets(request.project->id)) return answer_unsent(response);
    response.send(200, secret_json(*secret));
}

void delete_secret(Context& context, const Request& request, Response& response) {
    const std::string& name = request.params.at("name");
    const std::string word = query_value(request.query, "env");
    const auto env = base::read_word<SecretEnv>(word);
    if (!word.empty() && !env) {
        Fields fields(request);
        fields.wrong("env", "Must be dev, prod or all.");
        fields.good(response);
        return;
    }
    const std::string& project = request.project->id;
    const auto envs = context.secrets.remove(project, name, env);
    const auto none = [&] {
        response.refuse(DevCode::secret_not_found, "The project has no such secret.");
    };
    // A repetition of one whose end the app's databases had not heard of.
    if (envs.empty() && !unsent_changes(context.store, Unsent::secrets, project)) return none();
    if (!context.apps.share_secrets(project)) return answer_unsent(response);
    if (envs.empty()) return none();
    response.send(200, {{"deleted", name}, {"envs", envs}});
}

}  // namespace

void bind_secrets(RouteTable& table) {
    table.add({"GET", "/projects/:id/secrets", Need::read, Role::viewer, list_secrets});
    table.add(
        {"PUT", "/projects/:id/secrets/:name", Need::apply, Role::admin, put_secret, kSecretBody});
    table.add({"PATCH", "/projects/:id/secrets/:name", Need::apply, Role::admin, allow_hosts});
    table.add({"DELETE", "/projects/:id/secrets/:name", Need::apply, Role::admin, delete_secret},
              {"env"});
}

}  // namespace svc::devapi
