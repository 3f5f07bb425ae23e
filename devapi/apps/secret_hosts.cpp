#include "apps/secret_hosts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/database/database.hpp"
#include "auth/oidc/oidc.hpp"
#include "base/url_host.hpp"
#include "contract/shape/shape.hpp"
#include "diag/codes.hpp"
#include "identity/secret/project_secret.hpp"
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
    const auto preset = base::read_word<auth::oidc::Preset>(provider.value("preset", ""));
    return preset ? std::string(auth::oidc::issuer_of(*preset)) : provider.value("issuer", "");
}

std::string database_host(const std::string& url) {
    const auto settings = conninfo_settings(url).value_or(ConninfoSettings{});
    const auto host = settings.find("host");
    return host == settings.end() ? std::string() : base::host_of("postgres://" + host->second);
}

std::string env_option(SecretEnv env) {
    return env == SecretEnv::all ? "" : " --env " + std::string(base::word(env));
}

// Secrets in headers of calls that steps make, however deep the steps stand.
void add_steps(const Json& value, const std::string& path, std::vector<SecretUse>& out) {
    if (!value.is_structured()) return;
    const Json call = value.is_object() ? value.value("http", Json()) : Json();
    if (call.is_object() && call.contains("url") && call["url"].is_string()) {
        const std::string host = base::host_of(call["url"].get<std::string>());
        const Json headers = call.value("headers", Json::object());
        for (const auto& [name, sent] : headers.items()) {
            const std::string secret = secret_named(sent);
            if (!secret.empty()) out.push_back({secret, host, path + "/http/headers/" + name});
        }
    }
    for (const auto& [key, inner] : value.items()) add_steps(inner, path + '/' + key, out);
}

bool has_use(const std::vector<SecretUse>& uses, const SecretUse& use) {
    return std::ranges::any_of(uses, [&use](const SecretUse& each) {
        return each.secret == use.secret && each.host == use.host;
    });
}

bool is_allowed(const SecretUse& use, const SecretRecord& record,
                const std::vector<SecretUse>& brought_in) {
    if (record.hosts) return std::ranges::find(*record.hosts, use.host) != record.hosts->end();
    return use.said_by_value || has_use(brought_in, use);
}

// For other databases the migration reports it, as an error.
void report_missing(const SecretUse& use, const SecretScope& scope, diag::Findings& findings) {
    if (use.said_by_value) return;
    const std::string env = env_option(scope.env == SecretEnv::dev ? SecretEnv::all : scope.env);
    findings.warning(
        diag::kSecretMissing, use.path,
        "The project has no secret " + use.secret + " for " + std::string(base::word(scope.env)) +
            ". Nothing that uses the secret works until it is set.",
        "An owner or admin of the workspace sets it with svc secrets set " + use.secret +
            " <value>" + (use.host.empty() ? "" : " --host " + use.host) + env);
}

// Secrets that others sign their calls with: they are sent to nobody.
void add_verifying(const Json& parsed, std::vector<SecretUse>& out) {
    const Json webhooks = parsed.value("/webhooks/in"_json_pointer, Json::array());
    for (std::size_t i = 0; i < webhooks.size(); ++i) {
        const std::string name = secret_named(webhooks[i].value("secret", Json()));
        if (!name.empty())
            out.push_back({name, "", "/webhooks/in/" + std::to_string(i) + "/secret"});
    }
}

// Secrets that a block of the contract needs without naming them. Their hosts are in a value.
void add_unnamed(const Json& parsed, std::vector<SecretUse>& out) {
    if (parsed.contains("ai"))
        for (const char* name : {"AI_BASE_URL", "AI_API_KEY"}) out.push_back({name, "", "/ai"});
    if (!parsed.contains("payments")) return;
    const Json methods =
        parsed.value("/payments/methods"_json_pointer, Json::array({"offline", "card"}));
    if (std::ranges::find(methods, Json("card")) == methods.end()) return;
    for (const char* name : {"CARD_API_BASE", "CARD_SECRET_KEY", "CARD_WEBHOOK_SECRET"})
        out.push_back({name, "", "/payments"});
}

// The secrets whose hosts nobody has to allow.
std::vector<SecretUse> uses_without_host(const std::string& contract) {
    const Json parsed = Json::parse(contract);
    std::vector<SecretUse> out;
    add_verifying(parsed, out);
    add_unnamed(parsed, out);
    return out;
}

void report_refused(const SecretUse& use, const SecretRecord& record, diag::Findings& findings) {
    findings.error("SECRET_NOT_FOR_HOST", use.path,
                   "The secret " + use.secret + " may not be sent to " + use.host + ".",
                   "An owner or admin of the workspace allows it with svc secrets allow " +
                       use.secret + " --host " + use.host + env_option(record.env));
}

void add_providers(const Json& contract, std::vector<SecretUse>& out) {
    const Json providers = contract.value("/auth/providers"_json_pointer, Json::array());
    for (std::size_t i = 0; i < providers.size(); ++i)
        out.push_back({secret_named(providers[i].value("clientSecret", Json())),
                       base::host_of(issuer_of(providers[i])),
                       "/auth/providers/" + std::to_string(i) + "/clientSecret"});
}

void add_webhooks(const Json& contract, std::vector<SecretUse>& out) {
    const Json webhooks = contract.value("/webhooks/out"_json_pointer, Json::array());
    for (std::size_t i = 0; i < webhooks.size(); ++i)
        out.push_back({secret_named(webhooks[i].value("secret", Json())),
                       base::host_of(webhooks[i].value("url", "")),
                       "/webhooks/out/" + std::to_string(i) + "/secret"});
}

// `kind`: integrations, mcp.
void add_connectors(const Json& contract, const std::string& kind, std::vector<SecretUse>& out) {
    const std::string base = "/connectors/" + kind;
    const Json all = contract.value(Json::json_pointer(base), Json::array());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string secret = secret_named(all[i].value("/auth/secret"_json_pointer, Json()));
        const std::string url = all[i].value("baseUrl", all[i].value("url", ""));
        if (!secret.empty())
            out.push_back(
                {secret, base::host_of(url), base + '/' + std::to_string(i) + "/auth/secret"});
    }
}

// Adds the secrets that models and other databases use. Their hosts are values of secrets.
void add_said_by_value(const Json& contract, const SecretScope& scope,
                       std::vector<SecretUse>& out) {
    if (contract.contains("ai")) {
        const auto url = scope.secrets.value(scope.project, "AI_BASE_URL", scope.env);
        if (url) out.push_back({"AI_API_KEY", base::host_of(*url), "/ai", true});
    }
    const Json entities = contract.value("entities", Json::array());
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::string name =
            secret_named(entities[i].value("/external/connection"_json_pointer, Json()));
        if (name.empty()) continue;
        const auto url = scope.secrets.value(scope.project, name, scope.env);
        out.push_back({name, database_host(url.value_or("")),
                       "/entities/" + std::to_string(i) + "/external/connection", true});
    }
}

}  // namespace

std::vector<SecretUse> secret_uses(const std::string& contract, const SecretScope& scope) {
    const Json parsed = Json::parse(contract);
    std::vector<SecretUse> out;
    add_providers(parsed, out);
    add_webhooks(parsed, out);
    for (const char* flows : {"functions", "workflows"})
        if (parsed.contains(flows)) add_steps(parsed[flows], std::string("/") + flows, out);
    for (const char* kind : {"integrations", "mcp"}) add_connectors(parsed, kind, out);
    add_said_by_value(parsed, scope, out);
    return out;
}

std::vector<SecretUse> uses_brought_in(const std::string& contract,
                                       const std::optional<std::string>& live,
                                       const SecretScope& scope) {
    auto out = secret_uses(contract, scope);
    if (!live) return out;
    const auto before = secret_uses(*live, scope);
    std::erase_if(out, [&before](const SecretUse& use) { return has_use(before, use); });
    return out;
}

void check_secret_hosts(const std::string& contract, const SecretScope& scope,
                        const std::vector<SecretUse>& brought_in, diag::Findings& findings) {
    for (const SecretUse& use : secret_uses(contract, scope)) {
        const auto record = scope.secrets.find(scope.project, use.secret, scope.env);
        if (!record)
            report_missing(use, scope, findings);
        else if (!is_allowed(use, *record, brought_in))
            report_refused(use, *record, findings);
    }
    for (const SecretUse& use : uses_without_host(contract))
        if (!scope.secrets.find(scope.project, use.secret, scope.env))
            report_missing(use, scope, findings);
}

std::vector<SentSecret> sent_secrets(const std::vector<SecretUse>& uses, const SecretScope& scope) {
    std::vector<SentSecret> out;
    for (const SecretUse& use : uses)
        if (!use.said_by_value) out.push_back({use.secret, use.host, scope.env});
    return out;
}

}  // namespace svc::devapi
