#include "apps/apps.hpp"

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <filesystem>
#include <future>

#include "apps/apply.hpp"
#include "apps/exposure.hpp"
#include "apps/io_call.hpp"
#include "apps/own_tables.hpp"
#include "apps/preview.hpp"
#include "apps/provision.hpp"
#include "apps/recover.hpp"
#include "apps/settler.hpp"
#include "apps/told_secrets.hpp"
#include "apps/turn.hpp"
#include "log/log.hpp"
#include "pipeline.hpp"
#include "verify/verify.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr const char* kDev = "dev";
constexpr auto kKeysTime = 2s;
constexpr auto kShutdownTime = 10s;

}  // namespace

struct Apps::Impl {
    Impl(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder)
        : io(io),
          config(std::move(config)),
          supervisor(io, board),
          secrets(store, this->config.master_key),
          turns(store, holder) {}

    Workshop shop() { return {config, supervisor, keys, board, secrets}; }
    void resume(const ProjectRef& project, const std::vector<KeyRecord>& records);
    void rebuild_later(const ProjectRef& project, const ContractRecord& record);
    void recover(const std::string& project, bool serving);
    void recover_later();
    void settle_later(const std::string& project);

    asio::io_context& io;
    const AppsConfig config;
    Board board;
    KeyBook keys;
    Supervisor supervisor;
    const Secrets secrets;
    std::atomic<bool> recovers = false;
    Settler settler{board};
    asio::thread_pool builder{1};
    Turns turns;  // last: its thread gives work to the builder, which has ended its own by then
};

void Apps::Impl::resume(const ProjectRef& project, const std::vector<KeyRecord>& records) {
    const AppDatabase database = app_database(config, project.id, kDev);
    const auto record = read_record(database);
    if (!record) return;
    // The passwords follow the master key, which may be another one now.
    provision(config, database);
    keys.set(project.id, records);
    keys.write(project.id, database);
    tell_secrets(config, secrets, project.id, kDev, record->contract);
    board.change(project.id, [&record](AppState& state) {
        state.built = true;
        state.version = record->version;
        state.contract = record->contract;
    });
    const AppId app{project.id, kDev};
    supervisor.expect(app);
    if (!fs::exists(record->binary_path)) return rebuild_later(project, *record);
    supervisor.resume(app, make_launch(config, project, kDev, database, record->binary_path));
    asio::post(io, [this, app] { supervisor.tell_keys(app); });
    settle_later(project.id);
}

void Apps::Impl::settle_later(const std::string& project) {
    const AppDatabase database = app_database(config, project, kDev);
    settler.later(project, {database.admin_url, database.owner_role, database.data_role,
                            database.system_role});
}

void Apps::Impl::rebuild_later(const ProjectRef& project, const ContractRecord& record) {
    asio::post(builder, [this, project, record] {
        try {
            const auto turn = turns.take(project, {"rebuild", {}});
            if (!turn) return;
            rebuild(shop(), project, record);
            turn->finish({"applied", record.version, "", ""});
        } catch (const std::exception& error) {
            log::write(log::Level::error, "rebuild_failed",
                       {{"project", project.id}, {"what", error.what()}});
        }
    });
}

// One that cannot be recovered must not keep the others from it.
void Apps::Impl::recover(const std::string& project, bool serving) {
    for (const auto& left : turns.take_over(project)) try {
            devapi::recover(shop(), *left, serving);
        } catch (const std::exception& error) {
            log::write(log::Level::error, "recovery_failed",
                       {{"project", left->row().project.id}, {"what", error.what()}});
        }
}

void Apps::Impl::recover_later() {
    if (recovers.exchange(true)) return;
    asio::post(builder, [this] {
        try {
            recover({}, true);
        } catch (const std::exception&) {
            // The platform's database is away: the next beat tries again.
        }
        recovers = false;
    });
}

Apps::Apps(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder)
    : impl_(std::make_unique<Impl>(io, std::move(config), store, holder)) {}

Apps::~Apps() {
    impl_->turns.on_beat({});
    impl_->builder.join();
}

void Apps::recover() {
    impl_->recover({}, false);
    try {
        sweep_clones(impl_->config);
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "clones_not_swept", {{"what", error.what()}});
    }
}

void Apps::resume(const std::vector<ProjectRef>& projects,
                  const std::function<std::vector<KeyRecord>(const std::string&)>& keys) {
    const auto databases = app_databases(impl_->config);
    auto alive = projects;
    std::erase_if(alive, [&](const ProjectRef& project) {
        return !databases.contains(app_database(impl_->config, project.id, kDev).name);
    });
    clear_leftovers(impl_->config, alive);
    for (const auto& project : alive) {
        try {
            impl_->resume(project, keys(project.id));
        } catch (const std::exception& error) {
            // One app that cannot start must not keep the others from it.
            log::write(log::Level::error, "resume_failed",
                       {{"project", project.id}, {"what", error.what()}});
            impl_->board.change(project.id, [&error](AppState& state) {
                state.last_error = std::string("The app could not be started: ") + error.what();
            });
        }
    }
    impl_->turns.on_beat([impl = impl_.get()] { impl->recover_later(); });
}

std::unique_ptr<Turn> Apps::take(const ProjectRef& project, const Purpose& purpose) {
    impl_->recover(project.id, true);
    return impl_->turns.take(project, purpose);
}

ApplyOutcome Apps::apply(Turn& turn, const std::string& contract, bool force,
                         const std::vector<KeyRecord>& keys,
                         const std::function<void(const Stage&)>& progress) {
    const std::string& project = turn.row().project.id;
    impl_->keys.offer(project, keys);
    auto outcome = devapi::apply(impl_->shop(), turn, contract, force, progress);
    if (impl_->board.get(project).built) impl_->settle_later(project);
    return outcome;
}

ApplyOutcome Apps::preview(const ProjectRef& project, const std::string& contract) const {
    return devapi::preview(impl_->config, impl_->secrets, project, state(project.id).contract,
                           contract);
}

CheckOutcome Apps::check(const std::string& project, const std::string& contract) const {
    pipeline::Checked checked = pipeline::check(contract, maintenance_url(impl_->config));
    CheckOutcome outcome;
    outcome.exposure = exposure_change(state(project).contract, checked);
    if (checked.plan) {
        outcome.matrix = check::json_text(checked.exposure);
        outcome.table = check::table_text(checked.exposure);
    }
    outcome.findings = std::move(checked.findings);
    return outcome;
}

std::optional<VerifyReport> Apps::verify(const ProjectRef& project) {
    return devapi::verify(impl_->shop(), project);
}

std::optional<Error> Apps::add_own_tables(const ProjectRef& project, const std::string& sql) {
    const auto turn = take(project, {"migrate", {}});
    if (!turn)
        return Error{Code::conflict, "The app is being changed just now. Try again.", {}, {}, {}};
    auto error =
        devapi::add_own_tables(impl_->config, project.id, turn->row().id, turn->row().token, sql);
    turn->finish({error ? "refused" : "applied", 0, error ? error->message : "", ""});
    return error;
}

void Apps::set_keys(const std::string& project, const std::vector<KeyRecord>& keys) {
    if (!impl_->keys.set(project, keys)) return;
    impl_->keys.write(project, app_database(impl_->config, project, kDev));
    impl_->supervisor.reload_keys({project, kDev}, kKeysTime);
}

void Apps::share_secrets(const std::string& project) {
    if (const auto contract = state(project).contract)
        tell_secrets(impl_->config, impl_->secrets, project, kDev, *contract);
}

AppState Apps::state(const std::string& project) const { return impl_->board.get(project); }

std::string Apps::database_url(const std::string& project, const std::string& env) const {
    if (env != kDev || !impl_->board.get(project).built) return {};
    return app_database(impl_->config, project, env).admin_url;
}

void Apps::remove(Turn& turn) {
    const ProjectRef& project = turn.row().project;
    turn.reach("removing");
    impl_->supervisor.stop({project.id, kDev});
    drop_clone(impl_->config, project.id);
    drop(impl_->config, app_database(impl_->config, project.id, kDev));
    std::error_code ignored;  // files that stay behind harm nobody
    fs::remove_all(fs::path(project_folder(impl_->config, project.id, kDev)).parent_path(),
                   ignored);
    impl_->keys.forget(project.id);
    impl_->board.forget(project.id);
    turn.remove_project();
}

bool Apps::live(const std::string& project, const std::string& env) const {
    return impl_->supervisor.wanted({project, env});
}

void Apps::pass(const std::string& project, const std::string& env, http::Connection connection) {
    impl_->supervisor.pass({project, env}, std::move(connection));
}

void Apps::on_returned(std::function<void(http::Connection)> take) {
    impl_->supervisor.on_returned(std::move(take));
}

void Apps::shutdown() {
    auto gone = promised_on_io<bool>(impl_->io, [impl = impl_.get()](auto give) {
        impl->supervisor.stop_all([give] { give(true); });
    });
    const auto until = std::chrono::steady_clock::now() + kShutdownTime;
    if (!impl_->io.stopped() && !impl_->io.get_executor().running_in_this_thread()) {
        gone.wait_until(until);
        return;
    }
    // Nobody else turns the io_context now.
    impl_->io.restart();
    while (gone.wait_for(0s) != std::future_status::ready &&
           std::chrono::steady_clock::now() < until)
        impl_->io.run_one_until(until);
}

}  // namespace svc::devapi
