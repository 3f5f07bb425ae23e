#include "apps/database/restore.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>
#include <thread>

#include "apps/apply/apply_job.hpp"
#include "apps/database/connections.hpp"
#include "apps/database/provision.hpp"
#include "apps/sealed_settings.hpp"
#include "diag/source_map.hpp"
#include "log/log.hpp"
#include "pipeline.hpp"
#include "platform/log_words.hpp"
#include "postgres/dump.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

// A server that drains ends its streams after 60 s.
constexpr auto kLeaveTime = 70s;
constexpr auto kLoadTime = 1h;

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

// Whoever still uses it is sent away after a while.
void wait_until_left(const AppsConfig& config, const AppDatabase& database) {
    const auto deadline = std::chrono::steady_clock::now() + kLeaveTime;
    while (!is_left(config, database) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(20ms);
}

class Restore {
  public:
    Restore(const ApplyServices& services, Lease& lease, const SnapshotRecord& snapshot,
            const OnStage& progress)
        : services_(services),
          lease_(lease),
          project_(lease.row().project),
          snapshot_(snapshot),
          progress_(progress),
          config_(for_change(services.config, lease.row().id)),
          live_(app_database(config_, project_.id, app_.second)) {}

    RestoreOutcome run(const std::string& user) {
        const bool done = stage("check", &Restore::check) && stage("load", &Restore::load) &&
                          stage("compare", &Restore::compare) &&
                          stage("migrate", &Restore::migrate) && stage("start", &Restore::start) &&
                          stage("swap", &Restore::exchange);
        if (!done) undo();
        if (done) keep_old(user);
        end_lease();
        return std::move(outcome_);
    }

  private:
    using Step = void (Restore::*)();

    bool stage(const char* name, Step step) {
        const auto begin = std::chrono::steady_clock::now();
        tell({name, "running", 0, {}});
        detail_.clear();
        try {
            (this->*step)();
        } catch (const std::exception& error) {
            outcome_.failed_stage = name;
            outcome_.error = log_words(error);
        }
        const bool done = outcome_.failed_stage.empty();
        tell({name, done ? "done" : "failed", ms_since(begin), done ? detail_ : outcome_.error});
        return done;
    }

    void check() {
        record_ = read_record(live_).value();
        auto checked = pipeline::check(record_.contract, proving_again(config_));
        if (!checked.plan)
            throw std::runtime_error("The live contract is no longer accepted: apply one that is.");
        plan_ = std::move(checked.plan);
        file_ = Snapshots(services_.store, config_.home).whole(snapshot_);
    }

    // What an earlier one could not copy is copied first. Nobody else makes such a database now.
    void load() {
        clear_others(services_, app_, Others::kept, {});
        generation_ = services_.config.generations->of(app_) + 1;
        fresh_ = app_database(config_, app_, generation_);
        lease_.will_make_database();
        provision(config_, fresh_);
        LoadOptions options;
        options.limit = kLoadTime;
        load_database(fresh_.admin_url, file_, options);
        lease_.reach("loaded");
    }

    void compare() {
        pqxx::connection connection(fresh_.admin_url);
        pqxx::work tx(connection);
        const auto found = nlohmann::json::parse(count_rows(tx)),
                   written = nlohmann::json::parse(snapshot_.counts);
        if (found != written)
            throw std::runtime_error("The snapshot was not restored whole: " +
                                     nlohmann::json::diff(written, found).dump());
        const auto version = tx.exec("select version from svc.contract");
        if (version.size() != 1 || version[0][0].as<std::int64_t>() != snapshot_.version)
            throw std::runtime_error("The snapshot's contract is not the one that was recorded.");
        // Tokens of leases are counted anew where the platform's database was.
        tx.exec0("update svc.contract set fence = 0");
        // A session that was ended since, or a link that was used, must not come back.
        for (const char* table : {"svc.session", "svc.token"})
            tx.exec0(std::string("delete from ") + table);
        tx.commit();
        detail_ = std::to_string(written.size()) + " tables";
    }

    // The snapshot may be of an older contract, or of a newer one that was rolled back: its rows
    // come to the contract that is live, as those of an apply would.
    void migrate() {
        migrate::Target target{fresh_.admin_url, fresh_.owner_role, fresh_.data_role,
                               fresh_.system_role};
        target.connections =
            connections_of(*plan_, config_, services_.secrets, project_.id, app_.second);
        auto result = migrate::apply(*plan_, target,
                                     {record_.version, record_.contract, record_.hash,
                                      record_.binary_path, lease_.row().id, lease_.row().token});
        hide_addresses(result.findings);
        diag::SourceMap(record_.contract).locate(result.findings);
        outcome_.findings = std::move(result.findings);
        if (!result.ok)
            throw std::runtime_error("The snapshot's rows do not fit the contract that is live.");
        detail_ = std::to_string(result.changes.size()) + " changes";
    }

    void start() {
        services_.keys.write(project_.id, fresh_);
        tell_secrets(config_, services_.secrets, project_.id, app_.second, fresh_);
        auto [process, error] = services_.supervisor.start_beside(
            app_,
            make_launch(services_.config, project_, app_.second,
                        app_database(services_.config, app_, generation_), record_.binary_path,
                        site_of(services_.store, project_, app_.second)));
        if (!process) throw std::runtime_error(error);
        server_ = std::move(process);
    }

    // From the commit on the new database is the environment's.
    void exchange() {
        lease_.commit([this](pqxx::work& tx) {
            tx.exec_params(
                "insert into project_database (project_id, env, generation) values ($1, $2, $3) "
                "on conflict (project_id, env) do update set generation = excluded.generation",
                project_.id, app_.second, generation_);
        });
        services_.config.generations->set(app_, generation_);
        services_.supervisor.promote(app_, server_);
        server_.reset();
        outcome_.done = true;
    }

    // It serves already: what goes wrong here is told, and the old database stays.
    void keep_old(const std::string& user) {
        const auto begin = std::chrono::steady_clock::now();
        tell({"snapshot", "running", 0, {}});
        try {
            lease_.reach("exchanged");
            outcome_.safety = clear_others(services_, app_, Others::kept, user);
        } catch (const std::exception& error) {
            outcome_.warning = "What was there before is kept as the database " + live_.name +
                               ", for it could not be copied: " + log_words(error);
            log::write(log::Level::error, "safety_snapshot_failed",
                       {{"project", project_.id}, {"what", log_words(error)}});
        }
        tell({"snapshot", outcome_.warning.empty() ? "done" : "failed", ms_since(begin),
              outcome_.warning});
    }

    void undo() try {
        if (server_) services_.supervisor.discard(server_);
        if (asked_whether_exchanged()) return;
        if (!fresh_.name.empty())
            lease_.guarded([this] { drop_database(services_.config, fresh_.name); });
    } catch (const std::exception& error) {
        in_doubt_ = true;
        outcome_.error +=
            std::string("\nWhat it left will be cleared away later: ") + log_words(error);
    }

    // A commit whose answer was lost: recovery finds out.
    bool asked_whether_exchanged() {
        if (outcome_.failed_stage == "swap") in_doubt_ = true;
        return in_doubt_;
    }

    void end_lease() {
        if (in_doubt_) return;
        try {
            lease_.finish(
                {outcome_.done ? "applied" : "failed", record_.version,
                 outcome_.done ? outcome_.warning : outcome_.failed_stage + ": " + outcome_.error,
                 ""});
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "restore_end_not_recorded",
                       {{"project", project_.id}, {"what", log_words(error)}});
        }
    }

    void tell(const Stage& stage) const {
        if (progress_) progress_(stage);
    }

    const ApplyServices& services_;
    Lease& lease_;
    const ProjectRef& project_;
    const SnapshotRecord& snapshot_;
    const OnStage& progress_;
    const AppId app_{project_.id, lease_.row().env};
    const AppsConfig config_;
    const AppDatabase live_;

    std::string file_, detail_;
    ContractRecord record_;
    std::optional<plan::Plan> plan_;
    std::int64_t generation_ = 0;
    AppDatabase fresh_;
    Process::Self server_;
    bool in_doubt_ = false;
    RestoreOutcome outcome_;
};

}  // namespace

RestoreOutcome restore(const ApplyServices& services, Lease& lease, const SnapshotRecord& snapshot,
                       const std::string& user, const OnStage& progress) {
    return Restore(services, lease, snapshot, progress).run(user);
}

bool was_exchanged(const ApplyServices& services, const Lease& left) {
    const AppDatabase live = app_database(services.config, left.row().project.id, left.row().env);
    if (!app_databases(services.config).contains(live.name)) return false;
    const auto record = read_record(live);
    return record && record->apply_id == left.row().id;
}

std::string clear_others(const ApplyServices& services, const AppId& app, Others others,
                         const std::string& user) {
    const AppDatabase live = app_database(services.config, app.first, app.second);
    std::string id;
    for (const auto& name : other_generations(services, app)) {
        const std::int64_t generation = generation_of(live, name);
        // An earlier one could not be copied: it alone holds what it holds.
        if (others == Others::of_this_restore && generation < services.config.generations->of(app))
            continue;
        const AppDatabase old = app_database(services.config, app, generation);
        if (others == Others::kept) {
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
            config.generations->set({row[0].c_str(), row[1].c_str()}, row[2].as<std::int64_t>());
    });
}

}  // namespace svc::devapi
