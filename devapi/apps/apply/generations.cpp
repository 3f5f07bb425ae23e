// Databases of an environment beside the one that serves: what a restore replaced or left behind.
#include <chrono>
#include <pqxx/pqxx>
#include <thread>

#include "apps/apply/apply_job.hpp"
#include "apps/apply/restore.hpp"
#include "apps/database/provision.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

// A server that drains ends its streams after 60 s.
constexpr auto kLeaveTime = 70s;

bool is_generation(const std::string& stem, const std::string& name) {
    return name.starts_with(stem + "_g") && name.size() > stem.size() + 2 &&
           name.find_first_not_of("0123456789", stem.size() + 2) == std::string::npos;
}

// Databases of an environment that do not serve.
std::vector<std::string> other_generations(const ApplyServices& services, const AppId& app) {
    const AppDatabase live = app_database(services.config, app.first, app.second);
    std::vector<std::string> out;
    for (const auto& name : app_databases(services.config))
        if (name != live.name && (name == live.stem || is_generation(live.stem, name)))
            out.push_back(name);
    return out;
}

std::int64_t generation_of(const AppDatabase& live, const std::string& name) {
    return name == live.stem ? 1 : std::stoll(name.substr(live.stem.size() + 2));
}

bool is_left(const AppsConfig& config, const AppDatabase& database) {
    pqxx::connection connection(maintenance_url(config));
    pqxx::nontransaction work(connection);
    return work
        .exec_params(
            "select 1 from pg_stat_activity where datname = $1 and usename in ($2, $3, $4) limit 1",
            database.name, database.data_role, database.system_role, database.sql_role)
        .empty();
}

// Sessions that still use it are ended after a while.
void wait_until_left(const AppsConfig& config, const AppDatabase& database) {
    const auto deadline = std::chrono::steady_clock::now() + kLeaveTime;
    while (!is_left(config, database) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(20ms);
}

}  // namespace

bool was_exchanged(const ApplyServices& services, const Lease& left) {
    const AppDatabase live = app_database(services.config, left.row().project.id, left.row().env);
    if (!app_databases(services.config).contains(live.name)) return false;
    const auto record = read_record(live);
    return record && record->apply_id == left.row().id;
}

std::string clear_old_databases(const ApplyServices& services, const AppId& app,
                                OldDatabases others, const std::string& user) {
    const AppDatabase live = app_database(services.config, app.first, app.second);
    std::string id;
    for (const auto& name : other_generations(services, app)) {
        const std::int64_t generation = generation_of(live, name);
        // An earlier one could not be copied: it alone holds what it holds.
        if (others == OldDatabases::of_this_restore &&
            generation < services.config.generations->of(app))
            continue;
        const AppDatabase old = app_database(services.config, app, generation);
        if (others == OldDatabases::kept) {
            wait_until_left(services.config, old);
            shut_database(services.config, old);
            id = Snapshots(services.store, services.config.home)
                     .take(old, {app.first, app.second, "restore", "Before a snapshot was restored",
                                 user})
                     .id;
        }
        drop_database(services.config, name);
    }
    return id;
}

void load_generations(const AppsConfig& config, Store& store) {
    store.transact([&](pqxx::work& tx) {
        for (const auto& row : tx.exec("select project_id, env, generation from project_database"))
            config.generations->set({row[0].c_str(), env_of(row[1].c_str())},
                                    row[2].as<std::int64_t>());
    });
}

}  // namespace svc::devapi
