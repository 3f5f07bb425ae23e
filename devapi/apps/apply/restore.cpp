#include "apps/apply/restore.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

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

constexpr auto kLoadTime = 1h;

// Secrets of webhooks that the app made, and earlier values of the project's that are still valid.
constexpr const char* kSecretTables[] = {"svc.hook_secret", "svc.secret_before"};

// As JSON. The served database may be older than the table.
std::string rows_of(pqxx::work& tx, const std::string& table) {
    if (tx.exec1("select to_regclass('" + table + "') is null")[0].as<bool>()) return "[]";
    const auto rows = tx.exec1("select coalesce(json_agg(r), '[]') from " + table + " r");
    return rows[0].as<std::string>();
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
        const bool done =
            stage(StageName::check, &Restore::check) && stage(StageName::load, &Restore::load) &&
            stage(StageName::compare, &Restore::compare) &&
            stage(StageName::migrate, &Restore::migrate) &&
            stage(StageName::start, &Restore::start) && stage(StageName::swap, &Restore::exchange);
        if (!done) undo();
        if (done) keep_old(user);
        end_lease();
        return std::move(outcome_);
    }

  private:
    using Step = void (Restore::*)();

    bool stage(StageName name, Step step) {
        const auto begin = std::chrono::steady_clock::now();
        report({name, StageStatus::running, 0, {}});
        detail_.clear();
        try {
            (this->*step)();
        } catch (const std::exception& error) {
            outcome_.failed_stage = name;
            outcome_.error = log_words(error);
        }
        const bool done = !outcome_.failed_stage;
        report({name, done ? StageStatus::done : StageStatus::failed, ms_since(begin),
                done ? detail_ : outcome_.error});
        return done;
    }

    void check() {
        record_ = read_record(live_).value();
        auto checked = pipeline::check(record_.contract, proving_again(config_));
        if (!checked.plan)
            throw std::runtime_error(
                "This version of svc no longer accepts the live contract. Apply a corrected "
                "contract first.");
        plan_ = std::move(checked.plan);
        file_ = Snapshots(services_.store, config_.home).whole(snapshot_);
    }

    // Databases that an earlier restore left are first copied into snapshots and dropped. Nobody
    // else makes such a database now.
    void load() {
        clear_old_databases(services_, app_, OldDatabases::kept, {});
        generation_ = services_.config.generations->of(app_) + 1;
        fresh_ = app_database(config_, app_, generation_);
        lease_.will_make_database();
        provision(config_, fresh_);
        LoadOptions options;
        options.limit = kLoadTime;
        load_database(fresh_.admin_url, file_, options);
        lease_.reach(LeaseStage::loaded);
    }

    void compare() {
        pqxx::connection connection(fresh_.admin_url);
        pqxx::work tx(connection);
        const auto found = nlohmann::json::parse(count_rows(tx)),
                   written = nlohmann::json::parse(snapshot_.counts);
        if (found != written)
            throw std::runtime_error("The snapshot was not restored completely: " +
                                     nlohmann::json::diff(written, found).dump());
        const auto version = tx.exec("select version from svc.contract");
        if (version.size() != 1 || version[0][0].as<std::int64_t>() != snapshot_.version)
            throw std::runtime_error(
                "The snapshot's contract differs from the one that was recorded with it.");
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
            throw std::runtime_error("The snapshot's rows do not fit the live contract.");
        hold_runs();
        detail_ = std::to_string(result.changes.size()) + " changes";
    }

    // Effects of runs after the snapshot are not known here, so no run continues by itself.
    void hold_runs() {
        pqxx::connection connection(fresh_.admin_url);
        pqxx::work tx(connection);
        tx.exec0("set local role " + tx.quote_name(fresh_.owner_role));
        outcome_.held = tx.exec1("select svc.hold_runs()")[0].as<std::int64_t>();
        const auto counts =
            tx.exec1("select c ->> 'mails', c ->> 'deliveries' from svc.held_counts() c");
        outcome_.held_mails = counts[0].as<std::int64_t>();
        outcome_.held_deliveries = counts[1].as<std::int64_t>();
        tx.commit();
    }

    // As they are now, not as in the snapshot: one that was replaced since must not become valid
    // again. A value of the snapshot beside a different one would count as replaced just now.
    void bring_secrets() {
        {
            pqxx::connection served(live_.admin_url), restored(fresh_.admin_url);
            pqxx::work from(served), to(restored);
            to.exec0("delete from svc.secret");
            for (const std::string table : kSecretTables) {
                to.exec0("delete from " + table);
                to.exec_params0("insert into " + table + " select * from json_populate_recordset(" +
                                    "null::" + table + ", $1::json)",
                                rows_of(from, table));
            }
            to.commit();
        }
        write_secrets(config_, services_.secrets, project_.id, app_.second, fresh_);
    }

    void start() {
        services_.keys.write(project_.id, fresh_);
        bring_secrets();
        auto [process, error] = services_.supervisor.start_beside(
            app_,
            make_launch(services_.config, project_, app_.second,
                        app_database(services_.config, app_, generation_), record_.binary_path,
                        site_of(services_.store, project_, app_.second)));
        if (!process) throw std::runtime_error(error);
        server_ = std::move(process);
    }

    // After the commit the new database is the environment's.
    void exchange() {
        lease_.commit([this](pqxx::work& tx) {
            tx.exec_params(
                "insert into project_database (project_id, env, generation) values ($1, $2, $3) "
                "on conflict (project_id, env) do update set generation = excluded.generation",
                project_.id, name(app_.second), generation_);
        });
        services_.config.generations->set(app_, generation_);
        services_.supervisor.promote(app_, server_);
        server_.reset();
        outcome_.done = true;
    }

    // The new database serves already: a failure here is reported, and the old database stays.
    void keep_old(const std::string& user) {
        const auto begin = std::chrono::steady_clock::now();
        report({StageName::snapshot, StageStatus::running, 0, {}});
        try {
            lease_.reach(LeaseStage::exchanged);
            outcome_.safety = clear_old_databases(services_, app_, OldDatabases::kept, user);
        } catch (const std::exception& error) {
            outcome_.warning = "The replaced database is kept under the name " + live_.name +
                               ", because it could not be copied: " + log_words(error);
            log::write(log::Level::error, "safety_snapshot_failed",
                       {{"project", project_.id}, {"what", log_words(error)}});
        }
        report({StageName::snapshot,
                outcome_.warning.empty() ? StageStatus::done : StageStatus::failed, ms_since(begin),
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
            std::string("\nThe remains of this attempt will be removed later: ") + log_words(error);
    }

    // A commit whose answer was lost: recovery finds out.
    bool asked_whether_exchanged() {
        if (outcome_.failed_stage == StageName::swap) in_doubt_ = true;
        return in_doubt_;
    }

    void end_lease() {
        if (in_doubt_) return;
        try {
            lease_.finish({outcome_.done ? LeaseEnd::applied : LeaseEnd::failed, record_.version,
                           outcome_.done ? outcome_.warning
                                         : at_stage(outcome_.failed_stage) + outcome_.error});
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "restore_end_not_recorded",
                       {{"project", project_.id}, {"what", log_words(error)}});
        }
    }

    void report(const Stage& stage) const {
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

}  // namespace svc::devapi
