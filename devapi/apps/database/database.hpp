// The database of one project and environment, its roles, and the ways to connect to it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "platform/keys/secrets.hpp"
#include "query/prove/prove.hpp"

namespace svc::devapi {

// The environments of a project: dev for work, prod, and a published preview with its own database.
inline constexpr Env kEnvironments[] = {Env::dev, Env::prod, Env::preview};
// The environment whose secrets are used. A preview must not get those of prod.
inline SecretEnv secrets_env(Env env) {
    return env == Env::prod ? SecretEnv::prod : SecretEnv::dev;
}

// The database of each environment for which a restore made a new one. Thread-safe.
class Generations {
  public:
    std::int64_t of(const AppId& app) const;
    void set(const AppId& app, std::int64_t generation);

  private:
    mutable std::mutex mutex_;
    std::map<AppId, std::int64_t> known_;
};

struct AppDatabase {
    std::string name;        // svc_<12 hex of the project's id>_dev; with _g2 after a restore
    std::string owner_role;  // owns schemas and tables; never logs in
    std::string data_role;   // runs callers' statements
    std::string system_role;
    std::string admin_url, data_url, system_url;  // libpq connection strings
    std::string stem = {};                        // the name without its generation
    // Runs developers' SQL past row-level security (sql_role.hpp). It exists only from the first
    // such SQL on.
    std::string sql_role = {}, sql_url = {};
};

// Throws std::invalid_argument where the administrator's URL cannot be read.
AppDatabase app_database(const AppsConfig& config, const std::string& project, Env env);
// The database of another generation than the live one.
AppDatabase app_database(const AppsConfig& config, const AppId& app, std::int64_t generation);

// The database that a verification of this project clones it into.
std::string clone_name(const std::string& project);

// The last twelve hex digits of a project's id. Not the first: those of a version 7 id are a clock,
// and equal for projects that were made together.
std::string short_id(const std::string& project);

// Passwords of login roles are derived, never stored: who holds the master key knows them all.
std::string role_password(const std::string& master_key, const std::string& role);
// The secret of the app server on a database of this stem: the same after each start, and after a
// restore.
std::string app_secret(const std::string& master_key, const std::string& stem);

// The administrator's connection for work on databases and roles themselves.
std::string maintenance_url(const AppsConfig& config);

// Where contracts are proved, and how long that may take.
query::Database proving(const AppsConfig& config);
// The same for live contracts: they were proved once, so a busy machine must not refuse them.
query::Database proving_again(const AppsConfig& config);

// The configuration with connections that carry the id of a change, so that leftover connections
// are found.
AppsConfig for_change(const AppsConfig& config, const std::string& change);
std::string change_name(const std::string& change);  // as pg_stat_activity shows it

// The row of svc.contract; none if nothing was ever applied. Throws pqxx::failure if it cannot be
// read.
struct ContractRecord {
    std::int64_t version = 0;
    std::string contract, hash, binary_path;
    std::string apply_id;  // of the apply that made it so; empty if that was before there were ids

    bool operator==(const ContractRecord&) const = default;
};
std::optional<ContractRecord> read_record(const AppDatabase& database);
// Refuses commits of applies with a smaller token from now on. Waits for an apply that is
// committing. No effect if nothing was ever applied.
void raise_fence(const AppDatabase& database, std::int64_t token);
// Records the new binary after it was built again for the live contract.
void record_binary(const AppDatabase& database, const std::string& binary_path);

}  // namespace svc::devapi
