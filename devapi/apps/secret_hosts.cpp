#include "apps/secret_hosts.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/database/database.hpp"
#include "auth/oidc/oidc.hpp"
#include "contract/shape.hpp"
#include "identity/project_secret.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

using Json = nlohmann::json;

std::string secret_named(const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    return text.starts_with(contract::kSecretPrefix) ? text.substr(contract::kSecretPrefix.size())
                                                     : std::string();
}

std::string issuer_of(const Json& provider) {
    const std::string preset = provider.value("preset", "");
    return preset.empty() ? provider.value("issuer", "")
                          : std::string(auth::oidc::issuer_of_preset(preset));
}

std::string database_host(const std::string& url) {
    const auto settings = conninfo_settings(url).value_or(ConninfoSettings{});
    const auto host = settings.find("host");
    return host == settings.end() ? std::string() : identity::host_of("postgres://" + host->second);
}

void tell_refused(const SecretUse& use, const SecretRecord& record, diag::Findings& findings) {
    const std::string env = record.env == "all" ? "" : " --env " + record.env;
    findings.error("SECRET_NOT_FOR_HOST", use.path,
                   "The secret " + use.secret + " may not be sent to " + use.host + ".",
                   "An owner or admin of the workspace allows it: svc secrets allow " + use.secret +
                       " --host " + use.host + env);
}

}  // namespace

std::vector<SecretUse> secret_uses(const std::string& contract, const SecretScope& scope) {
    const Json parsed = Json::parse(contract);
    std::vector<SecretUse> out;
    const Json providers = parsed.value("/auth/providers"_json_pointer, Json::array());
    for (std::size_t i = 0; i < providers.size(); ++i)
        out.push_back({secret_named(providers[i].value("clientSecret", Json())),
                       identity::host_of(issuer_of(providers[i])),
                       "/auth/providers/" + std::to_string(i) + "/clientSecret"});
    const Json entities = parsed.value("entities", Json::array());
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::string name =
            secret_named(entities[i].value("/external/connection"_json_pointer, Json()));
        if (name.empty()) continue;
        const auto url = scope.secrets.value(scope.project, name, scope.env);
        out.push_back({name, database_host(url.value_or("")),
                       "/entities/" + std::to_string(i) + "/external/connection", true});
    }
    return out;
}

void check_secret_hosts(const std::string& contract, const SecretScope& scope, bool allows,
                        diag::Findings& findings) {
    for (const SecretUse& use : secret_uses(contract, scope)) {
        const auto record = scope.secrets.find(scope.project, use.secret, scope.env);
        if (!record) continue;
        const bool allowed =
            record->hosts ? std::ranges::find(*record->hosts, use.host) != record->hosts->end()
                          : allows || use.said_by_value;
        if (!allowed) tell_refused(use, *record, findings);
    }
}

void bind_secret_hosts(const std::string& contract, const SecretScope& scope, bool older) {
    std::map<std::string, std::vector<std::string>> hosts;
    for (const SecretUse& use : secret_uses(contract, scope))
        if (!use.said_by_value) hosts[use.secret].push_back(use.host);
    for (const auto& [name, named] : hosts) scope.secrets.bind(scope.project, name, named, older);
}

}  // namespace svc::devapi
