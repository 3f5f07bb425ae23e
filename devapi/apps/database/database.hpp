// The database of one project and environment, its roles, and the ways to connect to it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "query/prove.hpp"

namespace svc::devapi {

// The environments of a project: what is worked on, what is published, and what is published to be
// looked at, with a database of its own.
inline const std::vector<std::string>& environments() {
    static const std::vector<std::string> kAll{"dev", "prod", "preview"};
    return kAll;
}
// Whose secrets an environment has: a preview must not reach what prod reaches.
inline std::string secrets_env(const std::string& env) { return env == "preview" ? "dev" : env; }

// Which database an environment has, where a restore made another than its first. Thread-safe.
class Generations {
  public:
    std::int64_t of(const AppId& app) const;
    void set(const AppId& app, std::int64_t generation);

  private:
    mutable std::mutex mutex_;
    std::map<AppId, std::int64_t> known_;
};

struct AppDatabase {
    std::string name;        // svc_<12 hex of the project's id>_dev; _g2 behind it after a restore
    std::string owner_role;  // owns schemas and tables; never logs in
    std::string data_role;   // runs callers' statements
    std::string system_role;
    std::string admin_url, data_url, system_url;  // libpq connection strings
    std::string stem = {};                        // the name without its generation
    // Runs what developers write, past row-level security (sql_role.hpp). Not there before that.
    std::string sql_role = {}, sql_url = {};
};

// Throws std::invalid_argument where the administrator's URL cannot be read.
AppDatabase app_database(const AppsConfig& config, const std::string& project,
                         const std::string& env);
// The same of another generation than the one that is live.
AppDatabase app_database(const AppsConfig& config, const AppId& app, std::int64_t generation);

// The database that a verification of this project clones it into.
std::string clone_name(const std::string& project);

// The last twelve hex digits of a project's id. Not the first: those of a version 7 id are a clock,
// and equal for projects that were made together.
std::string short_id(const std::string& project);

// Passwords of login roles are derived, never stored: who holds the master key knows them all.
std::string role_password(const std::string& master_key, const std::string& role);
// What the app server on a database of this stem signs with: the same each time that it starts, and
// after a restore.
std::string app_secret(const std::string& master_key, const std::string& stem);

// The administrator's connection for work on databases and roles themselves.
std::string maintenance_url(const AppsConfig& config);

// Where contracts are proved, and how long that may take.
query::Database proving(const AppsConfig& config);
// Of contracts that are live: what was proved once comes back however busy the machine is.
query::Database proving_again(const AppsConfig& config);

// The same with connections that carry the id of a change, so that what is left of them is found.
AppsConfig for_change(const AppsConfig& config, const std::string& change);
std::string change_name(const std::string& change);  // as pg_stat_activity shows it

// What svc.contract says; none if nothing was ever applied. Throws pqxx::failure where that
// cannot be known.
struct ContractRecord {
    std::int64_t version = 0;
    std::string contract, hash, binary_path;
    std::string
        apply_id;  // of the apply that made it so; empty if that was before there were ids

    bool operator==(const ContractRecord&) const = default;
};
std::optional<ContractRecord> read_record(const AppDatabase& database);
// From here on no apply with a smaller token may commit. Waits for one that is about to. Where
// nothing was ever applied there is nothing to guard.
void raise_fence(const AppDatabase& database, std::int64_t token);
// After a binary had to be built anew for the contract that the database already follows.
void record_binary(const AppDatabase& database, const std::string& binary_path);

}  // namespace svc::devapi
