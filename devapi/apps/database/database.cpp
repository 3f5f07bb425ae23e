#include "apps/database/database.hpp"

#include <algorithm>
#include <pqxx/pqxx>

#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {

std::string short_id(const std::string& project) {
    std::string hex;
    for (char c : project)
        if (base::is_digit(c) || (c >= 'a' && c <= 'f')) hex += c;
    return hex.substr(hex.size() - std::min<std::size_t>(12, hex.size()));
}

std::string clone_name(const std::string& project) {
    return "svc_" + short_id(project) + "_verify";
}

std::string role_password(const std::string& master_key, const std::string& role) {
    return base::base64url(base::hmac_sha256(master_key, {role}));
}

std::string app_secret(const std::string& master_key, const std::string& stem) {
    return base::base64url(base::hmac_sha256(base::derive_key(master_key, "app secret"), {stem}));
}

std::int64_t Generations::of(const AppId& app) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(app);
    return found == known_.end() ? 1 : found->second;
}

void Generations::set(const AppId& app, std::int64_t generation) {
    const std::lock_guard lock(mutex_);
    known_[app] = generation;
}

std::string maintenance_url(const AppsConfig& config) {
    const std::string named = conninfo_value(config.admin_url, "dbname");
    return with_database(config.admin_url, named.empty() ? "postgres" : named);
}

query::Database proving(const AppsConfig& config) {
    return {maintenance_url(config), std::chrono::seconds(config.check_seconds)};
}

query::Database proving_again(const AppsConfig& config) {
    return {maintenance_url(config), std::chrono::minutes(10)};
}

AppDatabase app_database(const AppsConfig& config, const std::string& project, Env env) {
    const AppId app{project, env};
    return app_database(config, app, config.generations ? config.generations->of(app) : 1);
}

AppDatabase app_database(const AppsConfig& config, const AppId& app, std::int64_t generation) {
    AppDatabase out;
    out.stem = "svc_" + short_id(app.first) + "_" + name(app.second);
    out.name = out.stem + (generation > 1 ? "_g" + std::to_string(generation) : "");
    out.owner_role = out.stem + "_owner";
    out.data_role = out.stem + "_data";
    out.system_role = out.stem + "_system";
    out.admin_url = with_database(config.admin_url, out.name);
    // The app server's connection string has no id of a change, because the server outlives the
    // apply that started it.
    const std::string plain = without_setting(out.admin_url, "application_name");
    auto url_of = [&](const std::string& role) {
        return with_account(plain, role, role_password(config.master_key, role));
    };
    out.data_url = url_of(out.data_role);
    out.system_url = url_of(out.system_role);
    out.sql_role = out.stem + "_sql";
    out.sql_url = url_of(out.sql_role);
    return out;
}

AppsConfig for_change(const AppsConfig& config, const std::string& change) {
    AppsConfig out = config;
    out.admin_url = with_setting(config.admin_url, "application_name", change_name(change));
    return out;
}

std::string change_name(const std::string& change) { return "svc-change-" + change; }

std::optional<ContractRecord> read_record(const AppDatabase& database) {
    pqxx::connection connection(database.admin_url);
    pqxx::work work(connection);
    if (work.exec1("select to_regclass('svc.contract') is null")[0].as<bool>()) return {};
    // Read through JSON, because a database that an older svcd applied to lacks the column.
    auto rows = work.exec(
        "select version, contract, hash, binary_path, coalesce(to_jsonb(c)->>'apply_id', '') "
        "from svc.contract c");
    if (rows.empty()) return {};
    return ContractRecord{rows[0][0].as<std::int64_t>(), rows[0][1].c_str(), rows[0][2].c_str(),
                          rows[0][3].c_str(), rows[0][4].c_str()};
}

void raise_fence(const AppDatabase& database, std::int64_t token) {
    pqxx::connection connection(database.admin_url);
    pqxx::work work(connection);
    const auto columns = work.exec(
        "select 1 from pg_attribute where attrelid = to_regclass('svc.contract') "
        "and attname = 'fence'");
    if (columns.empty()) return;
    work.exec_params("update svc.contract set fence = $1 where fence < $1", token);
    work.commit();
}

void record_binary(const AppDatabase& database, const std::string& binary_path) {
    pqxx::connection connection(database.admin_url);
    pqxx::work work(connection);
    work.exec_params("update svc.contract set binary_path = $1", binary_path);
    work.commit();
}

}  // namespace svc::devapi
