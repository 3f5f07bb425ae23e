#include "apps/apply/recover.hpp"

#include <filesystem>

#include "apps/apply/generated_files.hpp"
#include "apps/apply/restore.hpp"
#include "apps/database/database.hpp"
#include "apps/database/provision.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/app_users.hpp"
#include "apps/process/binaries.hpp"
#include "apps/sealed_settings.hpp"
#include "build/format.hpp"
#include "file/byte_store.hpp"
#include "log/log.hpp"
#include "pipeline.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

class Recovery {
  public:
    Recovery(const ApplyServices& services, Lease& left, bool serving)
        : services_(services),
          left_(left),
          row_(left.row()),
          serving_(serving),
          database_(app_database(services.config, row_.project.id, app_.second)) {}

    void run() {
        // A commit that is still on its way decides: it must have arrived, or be unable to.
        end_connections(services_.config, row_.id);
        if (row_.kind == LeaseKind::remove)
            return row_.stage == LeaseStage::removing ? removed() : backwards();
        if (row_.kind == LeaseKind::unpublish)
            return row_.stage == LeaseStage::removing ? unpublished() : backwards();
        if (row_.kind == LeaseKind::restore) return restored();
        std::optional<ContractRecord> record;
        if (app_databases(services_.config).contains(database_.name)) {
            raise_fence(database_, row_.token);
            record = read_record(database_);
        }
        const bool committed =
            record && record->apply_id == row_.id && row_.stage != LeaseStage::undoing;
        if (committed) return forwards(*record);
        if (row_.makes_database && (!record || record->apply_id == row_.id)) drop_made_database();
        backwards();
    }

  private:
    void forwards(const ContractRecord& record) {
        if (serving_) serve(record);
        write_files(record);
        if (is_release()) mark_live(services_, left_);
        left_.finish({LeaseEnd::applied, record.version, "", Recovered::forwards});
        log_recovery("forwards");
    }

    void backwards() {
        const std::string error = "Interrupted at stage " + std::string(word(row_.stage)) + ".";
        if (is_release()) mark_failed(left_, error);
        left_.finish({LeaseEnd::failed, 0, error, Recovered::backwards});
        if (row_.kind == LeaseKind::apply)
            services_.states.change(app_, [this](AppState& state) {
                state.last_error = "The last apply was interrupted at stage " +
                                   std::string(word(row_.stage)) + " and undone.";
            });
        log_recovery("backwards");
    }

    // The old database is copied while the new one serves: that is not to keep svcd from starting,
    // so the change is left open for the next recovery.
    void restored() {
        if (!was_exchanged(services_, left_)) {
            clear_old_databases(services_, app_, OldDatabases::of_this_restore, {});
            return backwards();
        }
        if (!serving_) return;
        const auto record = read_record(database_).value();
        serve(record);
        clear_old_databases(services_, app_, OldDatabases::kept, {});
        left_.finish({LeaseEnd::applied, record.version, "", Recovered::forwards});
        log_recovery("forwards");
    }

    void drop_made_database() {
        services_.keys.close(row_.project.id, database_);
        left_.guarded([this] { drop(services_.config, database_); });
    }

    void removed() {
        erase_project(services_, row_.project.id, serving_);
        left_.remove_project();
        log_recovery("forwards");
    }

    void unpublished() {
        unpublish(services_, left_, serving_);
        left_.finish({LeaseEnd::applied, 0, "", Recovered::forwards});
        log_recovery("forwards");
    }

    void serve(const ContractRecord& record) {
        services_.states.change(app_, [&record](AppState& state) {
            state.built = true;
            state.version = record.version;
            state.contract = record.contract;
            state.last_error.reset();
        });
        if (!is_there(record.binary_path))
            return rebuild(services_, row_.project, app_.second, record);
        const Launch launch =
            make_launch(services_.config, row_.project, app_.second, database_, record.binary_path,
                        site_of(services_.store, row_.project, app_.second));
        if (services_.supervisor.runs(app_, launch)) return;
        services_.keys.write(row_.project.id, database_);
        write_secrets(services_.config, services_.secrets, row_.project.id, app_.second);
        const auto [process, error] = services_.supervisor.start_beside(app_, launch);
        if (!process) throw std::runtime_error(error);
        services_.supervisor.promote(app_, process);
    }

    // For readers alone: what serves does not wait for them.
    void write_files(const ContractRecord& record) try {
        if (is_release()) return;
        const auto checked = pipeline::check(record.contract, proving_again(services_.config));
        if (!checked.plan) return;
        const auto files = pipeline::emit_all(*checked.plan, services_.config.build);
        write_generated(folder(), build::formatted(files, services_.config.build), record.contract);
        drop_binaries(folder() + "/bin", {record.binary_path});
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "files_not_written",
                   {{"project", row_.project.id}, {"what", log_words(error)}});
    }

    bool is_release() const {
        return row_.kind == LeaseKind::deploy || row_.kind == LeaseKind::rollback;
    }

    std::string folder() const {
        return project_folder(services_.config, row_.project.id, app_.second);
    }

    void log_recovery(const char* direction) const {
        log::write(log::Level::warning, "interrupted_change",
                   {{"project", row_.project.id},
                    {"kind", std::string(word(row_.kind))},
                    {"stage", std::string(word(row_.stage))},
                    {"recovered", direction}});
    }

    const ApplyServices& services_;
    Lease& left_;
    const Lease::Row& row_;
    const bool serving_;
    const AppId app_{row_.project.id, row_.env};
    const AppDatabase database_;
};

// Files that remain do no harm; the log names them.
void erase_files(const ApplyServices& services, const AppId& app) {
    const std::string folder = files_folder(services.config.home, app.first, app.second);
    const std::string prefix = file::store_prefix(app.first, app.second);
    try {
        file::make_store(folder, prefix)->remove_all();
    } catch (const std::exception& error) {
        log::write(log::Level::error, "files_not_erased",
                   {{"prefix", prefix}, {"what", error.what()}});
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

void erase_environment(const ApplyServices& services, const AppId& app, bool serving) {
    if (serving) services.supervisor.stop(app);
    // Also drops the database of a restore that was running.
    clear_old_databases(services, app, OldDatabases::dropped, {});
    drop(services.config, app_database(services.config, app.first, app.second));
    std::error_code ignored;  // files that stay behind harm nobody
    fs::remove(requests_file(services.config, app.first, app.second), ignored);
    fs::remove_all(project_folder(services.config, app.first, app.second), ignored);
    erase_files(services, app);
}

}  // namespace

void unpublish(const ApplyServices& services, Lease& lease, bool serving) {
    const AppId app{lease.row().project.id, lease.row().env};
    mark_gone(services, lease);
    erase_environment(services, app, serving);
    services.keys.close(app.first, app_database(services.config, app.first, app.second));
    services.states.forget(app);
}

void erase_project(const ApplyServices& services, const std::string& project, bool serving) {
    drop_database(services.config, clone_name(project));
    for (const Env env : kEnvironments) erase_environment(services, {project, env}, serving);
    std::error_code ignored;
    fs::remove_all(fs::path(project_folder(services.config, project, Env::dev)).parent_path(),
                   ignored);
    fs::remove_all(fs::path(files_folder(services.config.home, project, Env::dev)).parent_path(),
                   ignored);
    bool gone = true;
    for (const Env env : {Env::dev, Env::verify}) {
        const fs::path sockets = fs::path(socket_stem(services.config, project, env)).parent_path();
        fs::remove_all(sockets, ignored);
        gone = gone && !fs::exists(sockets);
    }
    if (gone && services.config.users) services.config.users->forget(project);
    services.keys.forget(project);
    services.states.forget(project);
}

void recover(const ApplyServices& services, Lease& left, bool serving) {
    Recovery(services, left, serving).run();
}

}  // namespace svc::devapi
