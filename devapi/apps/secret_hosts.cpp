#include "apps/secret_hosts.hpp"

#include <algorithm>
#include <map>

#include "apps/database.hpp"
#include "auth/oidc.hpp"
#include "identity/project_secret.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

std::string issuer_of(const plan::SignInProvider& provider) {
    return provider.preset.empty() ? provider.issuer
                                   : std::string(auth::issuer_of_preset(provider.preset));
}

std::string database_host(const std::string& url) {
    const auto settings = conninfo_settings(url).value_or(ConninfoSettings{});
    const auto host = settings.find("host");
    return host == settings.end() ? std::string() : identity::host_of("postgres://" + host->second);
}

void tell(const SecretUse& use, const SecretRecord& record, diag::Findings& findings) {
    const std::string env = record.env == "all" ? "" : " --env " + record.env;
    findings.error("SECRET_NOT_FOR_HOST", use.path,
                   "The secret " + use.secret + " may not be sent to " + use.host + ".",
                   "An owner or admin of the workspace allows it: svc secrets allow " + use.secret +
                       " --host " + use.host + env);
}

}  // namespace

std::vector<SecretUse> secret_uses(const plan::Plan& plan, const SecretScope& scope) {
    std::vector<SecretUse> out;
    for (std::size_t i = 0; i < plan.providers.size(); ++i)
        out.push_back({plan.providers[i].secret, identity::host_of(issuer_of(plan.providers[i])),
                       "/auth/providers/" + std::to_string(i) + "/clientSecret"});
    for (const plan::External& external : plan.externals) {
        const auto url = scope.secrets.value(scope.project, external.connection, scope.env);
        if (url)
            out.push_back({external.connection, database_host(*url),
                           external.path + "/external/connection", true});
    }
    return out;
}

void check_secret_hosts(const plan::Plan& plan, const SecretScope& scope, bool allows,
                        diag::Findings& findings) {
    for (const SecretUse& use : secret_uses(plan, scope)) {
        const auto record = scope.secrets.find(scope.project, use.secret, scope.env);
        if (!record) continue;
        const bool allowed =
            record->hosts ? std::ranges::find(*record->hosts, use.host) != record->hosts->end()
                          : allows || use.said_by_value;
        if (!allowed) tell(use, *record, findings);
    }
}

void bind_secret_hosts(const plan::Plan& plan, const SecretScope& scope) {
    std::map<std::string, std::vector<std::string>> hosts;
    for (const SecretUse& use : secret_uses(plan, scope))
        if (!use.said_by_value) hosts[use.secret].push_back(use.host);
    for (const auto& [name, named] : hosts) {
        const auto record = scope.secrets.find(scope.project, name, scope.env);
        if (record && !record->hosts) scope.secrets.allow(scope.project, name, record->env, named);
    }
}

}  // namespace svc::devapi
