#include "apps/told_secrets.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <set>

#include "contract/shape.hpp"
#include "identity/sealer.hpp"

namespace svc::devapi {
namespace {

void collect(const nlohmann::json& value, std::set<std::string>& names) {
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
    std::set<std::string> names{"SMTP_URL"};
    const nlohmann::json parsed = nlohmann::json::parse(contract, nullptr, false);
    if (!parsed.is_discarded()) collect(parsed, names);
    return names;
}

}  // namespace

void tell_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                  const std::string& env, const AppDatabase& database,
                  const std::string& contract) {
    const identity::Sealer sealer(app_secret(config.master_key, database.stem), "secret");
    nlohmann::json sealed = nlohmann::json::object();
    for (const std::string& name : named_in(contract))
        if (const auto value = secrets.value(project, name, secrets_env(env)))
            sealed[name] = sealer.seal(*value);
    pqxx::connection connection(database.admin_url);
    pqxx::work tx(connection);
    if (tx.exec1("select to_regclass('svc.secret') is null")[0].as<bool>()) return;
    tx.exec_params0(
        "with told as (select key as name, value as sealed from json_each_text($1::json)),"
        " gone as (delete from svc.secret where name not in (select name from told))"
        " insert into svc.secret (name, sealed) select name, sealed from told"
        " on conflict (name) do update set sealed = excluded.sealed, updated_at = now()",
        sealed.dump());
    tx.commit();
}

void tell_secrets(const AppsConfig& config, const Secrets& secrets, const std::string& project,
                  const std::string& env, const std::string& contract) {
    tell_secrets(config, secrets, project, env, app_database(config, project, env), contract);
}

}  // namespace svc::devapi
