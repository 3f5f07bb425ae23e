#include "apps/sealed_settings.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <set>

#include "base/url_host.hpp"
#include "contract/shape/shape.hpp"
#include "identity/secret/project_secret.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::devapi {
namespace {

using Json = nlohmann::json;

constexpr const char* kMailServer = "SMTP_URL";
constexpr const char *kModelServer = "AI_BASE_URL", *kModelKey = "AI_API_KEY";
// The card provider of an app with payments (runtime-support/pay/provider.hpp). The same people set
// its address and its key, and the app server holds one against the other.
constexpr const char* kCardServer = "CARD_API_BASE";
constexpr const char* kCardSecrets[] = {"CARD_SECRET_KEY", "CARD_WEBHOOK_SECRET"};

bool is_of_card(const std::string& name) {
    return std::ranges::find(kCardSecrets, name) != std::end(kCardSecrets);
}

void collect(const Json& value, std::set<std::string>& names) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text.starts_with(contract::kSecretPrefix))
            names.insert(text.substr(contract::kSecretPrefix.size()));
        return;
    }
    if (!value.is_structured()) return;
    for (const auto& [key, inner] : value.items())
        if (key != "external" && key != "seeds") collect(inner, names);
}

std::set<std::string> named_in(const std::string& contract) {
    std::set<std::string> names{kMailServer};
    const Json parsed = Json::parse(contract, nullptr, false);
    if (parsed.is_discarded()) return names;
    collect(parsed, names);
    if (parsed.contains("ai")) names.insert({kModelServer, kModelKey});
    if (!parsed.contains("payments")) return names;
    names.insert(kCardServer);
    names.insert(std::begin(kCardSecrets), std::end(kCardSecrets));
    return names;
}

// Secrets that verify calls of other services: they are sent nowhere.
std::set<std::string> verifying(const std::string& contract) {
    std::set<std::string> names;
    const Json parsed = Json::parse(contract, nullptr, false);
    if (parsed.is_discarded()) return names;
    for (const Json& hook : parsed.value("/webhooks/in"_json_pointer, Json::array()))
        collect(hook.value("secret", Json()), names);
    return names;
}

// The key of a model provider goes where AI_BASE_URL says, which is set by who may set the key, as
// long as nobody has named hosts for it.
SecretHosts hosts_of(const std::string& name, const SecretHosts& hosts,
                     const std::optional<std::string>& model_server) {
    if (name != kModelKey || hosts || !model_server) return hosts;
    return std::vector<std::string>{base::host_of(*model_server)};
}

// The values of SMTP_URL, AI_BASE_URL and CARD_API_BASE hold their own hosts. Every other secret
// that is sent needs hosts that somebody has named.
bool may_be_sent(const std::string& name, const std::string& value, const SecretHosts& hosts) {
    if (is_of_card(name)) return true;
    if (name != kMailServer && name != kModelServer && name != kCardServer)
        return hosts.has_value();
    const std::string host = base::host_of(value);
    return !hosts || std::ranges::find(*hosts, host) != hosts->end();
}

// Other writers wait until this one has ended, and read after it; app servers can still read.
std::string contract_of(pqxx::work& tx) {
    // An app that an earlier svcd made has no such column until its next apply.
    if (tx.exec("select from pg_attribute where attrelid = 'svc.secret'::regclass and attname = "
                "'hosts'")
            .empty())
        tx.exec0("alter table svc.secret add column if not exists hosts text[]");
    tx.exec0("lock table svc.secret in exclusive mode");
    const auto rows = tx.exec("select contract from svc.contract");
    return rows.empty() ? std::string() : rows[0][0].c_str();
}

// The sealed values by name. An unchanged value stays as it is sealed: a newly sealed value counts
// as replaced, and the earlier value then stays valid for a while (schema/hooks.sql).
std::map<std::string, std::string> sealed_before(pqxx::work& tx) {
    std::map<std::string, std::string> out;
    for (const auto& row : tx.exec("select name, sealed from svc.secret"))
        out.emplace(row[0].c_str(), row[1].c_str());
    return out;
}

}  // namespace

void write_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                   Env env, const AppDatabase& database) {
    const identity::Sealer sealer(app_secret(config.master_key, database.stem), "secret");
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    tx.exec0("set local lock_timeout = '2s'; set local statement_timeout = '10s'");
    if (tx.exec1("select to_regclass('svc.secret') is null")[0].as<bool>()) return;
    Json sent = Json::array();
    const std::string contract = contract_of(tx);
    const std::set<std::string> kept_here = verifying(contract);
    const auto known = sealed_before(tx);
    const auto model_server = secrets.value(project, kModelServer, secrets_env(env));
    for (const std::string& name : named_in(contract)) {
        const auto value = secrets.value(project, name, secrets_env(env));
        const auto record = secrets.find(project, name, secrets_env(env));
        if (!value || !record) continue;
        const SecretHosts hosts = hosts_of(name, record->hosts, model_server);
        if (!kept_here.contains(name) && !may_be_sent(name, *value, hosts)) continue;
        const auto before = known.find(name);
        const bool same = before != known.end() && sealer.unseal(before->second) == *value;
        sent.push_back({{"name", name}, {"sealed", same ? before->second : sealer.seal(*value)}});
        if (hosts) sent.back()["hosts"] = *hosts;
    }
    tx.exec_params0(
        "with sent as (select * from json_to_recordset($1::json)"
        " as sent (name text, sealed text, hosts text[])),"
        " gone as (delete from svc.secret where name not in (select name from sent))"
        " insert into svc.secret (name, sealed, hosts) select name, sealed, hosts from sent"
        " on conflict (name) do update set sealed = excluded.sealed, hosts = excluded.hosts,"
        " updated_at = now()",
        sent.dump());
    tx.commit();
}

void write_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                   Env env) {
    write_secrets(config, secrets, project, env, app_database(config, project, env));
}

}  // namespace svc::devapi
