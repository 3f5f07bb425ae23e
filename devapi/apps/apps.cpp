#include "apps/apps.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <filesystem>
#include <future>

#include "apps/apply.hpp"
#include "apps/io_call.hpp"
#include "apps/preview.hpp"
#include "apps/provision.hpp"
#include "apps/settler.hpp"
#include "apps/turn.hpp"
#include "log/log.hpp"
#include "pipeline.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr const char* kDev = "dev";
constexpr auto kKeysTime = 2s;
constexpr auto kShutdownTime = 10s;

}  // namespace

struct Apps::Impl {
    Impl(asio::io_context& io, AppsConfig config)
        : io(io), config(std::move(config)), supervisor(io, board) {}

    Workshop shop() { return {config, supervisor, keys, board}; }
    void resume(const ProjectRef& project, const std::vector<KeyRecord>& records);
    void rebuild_later(const ProjectRef& project, const ContractRecord& record);
    void settle_later(const std::string& project);

    asio::io_context& io;
    const AppsConfig config;
    Board board;
    KeyBook keys;
    Busy busy;
    Supervisor supervisor;
    Settler settler{board};
    asio::thread_pool builder{1};  // last: its threads use all of the above
};

void Apps::Impl::resume(const ProjectRef& project, const std::vector<KeyRecord>& records) {
    const AppDatabase database = app_database(config, project.id, kDev);
    const auto record = read_record(database);
    if (!record) return;
    // The passwords follow the master key, which may be another one now.
    provision(config, database);
    keys.set(project.id, records);
    keys.write(project.id, database);
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
        Turn turn(busy, project.id);
        if (turn.taken()) rebuild(shop(), project, record);
    });
}

Apps::Apps(asio::io_context& io, AppsConfig config)
    : impl_(std::make_unique<Impl>(io, std::move(config))) {}

Apps::~Apps() { impl_->builder.join(); }

void Apps::resume(const std::vector<ProjectRef>& projects,
                  const std::function<std::vector<KeyRecord>(const std::string&)>& keys) {
    const auto databases = app_databases(impl_->config);
    for (const auto& project : projects) {
        if (!databases.contains(app_database(impl_->config, project.id, kDev).name)) continue;
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
}

bool Apps::busy(const std::string& project) const { return impl_->busy.has(project); }

ApplyOutcome Apps::apply(const ProjectRef& project, const std::string& contract, bool force,
                         const std::vector<KeyRecord>& keys,
                         const std::function<void(const Stage&)>& progress) {
    Turn turn(impl_->busy, project.id);
    if (!turn.taken()) {
        ApplyOutcome outcome;
        outcome.status = ApplyOutcome::Status::busy;
        outcome.error = outcome.summary = "Another apply of this project is running.";
        return outcome;
    }
    impl_->keys.offer(project.id, keys);
    auto outcome = devapi::apply(impl_->shop(), project, contract, force, progress);
    if (impl_->board.get(project.id).built) impl_->settle_later(project.id);
    return outcome;
}

ApplyOutcome Apps::preview(const ProjectRef& project, const std::string& contract) const {
    return devapi::preview(impl_->config, project, contract);
}

diag::Findings Apps::check(const std::string& contract) const {
    return pipeline::check(contract, maintenance_url(impl_->config)).findings;
}

void Apps::set_keys(const std::string& project, const std::vector<KeyRecord>& keys) {
    if (!impl_->keys.set(project, keys)) return;
    impl_->keys.write(project, app_database(impl_->config, project, kDev));
    impl_->supervisor.reload_keys({project, kDev}, kKeysTime);
}

AppState Apps::state(const std::string& project) const { return impl_->board.get(project); }

std::string Apps::database_url(const std::string& project, const std::string& env) const {
    if (env != kDev || !impl_->board.get(project).built) return {};
    return app_database(impl_->config, project, env).admin_url;
}

void Apps::remove(const ProjectRef& project) {
    Turn turn(impl_->busy, project.id, true);
    impl_->supervisor.stop({project.id, kDev});
    drop(impl_->config, app_database(impl_->config, project.id, kDev));
    std::error_code ignored;  // files that stay behind harm nobody
    fs::remove_all(project_folder(impl_->config, project.id, kDev), ignored);
    impl_->keys.forget(project.id);
    impl_->board.forget(project.id);
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
