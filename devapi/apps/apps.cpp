#include "apps/apps.hpp"

#include <chrono>
#include <future>

#include "apps/apply/recover.hpp"
#include "apps/apply/restore.hpp"
#include "apps/apps_impl.hpp"
#include "apps/database/demo.hpp"
#include "apps/database/provision.hpp"
#include "apps/database/unmanaged_tables.hpp"
#include "apps/io_call.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

constexpr auto kShutdownTime = 10s;
constexpr const char* kBeingChanged = "The app is being changed right now. Try again.";

}  // namespace

Apps::Apps(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder)
    : impl_(std::make_unique<Impl>(io, std::move(config), store, holder)) {}

Apps::~Apps() {
    impl_->leases.on_beat({});
    impl_->builder.join();
    impl_->sender.join();
}

std::unique_ptr<Lease> Apps::take(const ProjectRef& project, const Purpose& purpose) {
    impl_->recover(project.id, true);
    return impl_->leases.take(project, purpose);
}

ApplyOutcome Apps::apply(Lease& lease, const std::string& contract, bool force,
                         const std::vector<KeyRecord>& keys,
                         const std::function<void(const Stage&)>& progress,
                         const std::vector<migrate::Replaced>& replaced) {
    const std::string& project = lease.row().project.id;
    impl_->keys.offer(project, keys);
    auto outcome = devapi::apply(impl_->services(), lease, contract, force, progress, replaced);
    if (impl_->states.get(project).built) impl_->run_deferred_later(project, Impl::kDev);
    return outcome;
}

ApplyOutcome Apps::release(Lease& lease, const std::string& contract, const Release& release,
                           const std::vector<KeyRecord>& keys,
                           const std::function<void(const Stage&)>& progress) {
    const std::string& project = lease.row().project.id;
    impl_->keys.offer(project, keys);
    auto outcome = devapi::release(impl_->services(), lease, contract, release, progress);
    if (impl_->states.get(project, release.env).built)
        impl_->run_deferred_later(project, release.env);
    return outcome;
}

RestoreOutcome Apps::restore(Lease& lease, const SnapshotRecord& snapshot, const std::string& user,
                             const std::function<void(const Stage&)>& progress) {
    return devapi::restore(impl_->services(), lease, snapshot, user, progress);
}

SnapshotRecord Apps::take_snapshot(const SnapshotRequest& asked) const {
    return Snapshots(impl_->store, impl_->config.home)
        .take(app_database(impl_->config, asked.project, asked.env), asked);
}

Snapshots Apps::snapshots() const { return {impl_->store, impl_->config.home}; }

void Apps::on_published(std::function<void()> called) { impl_->published = std::move(called); }

ApplyServices Apps::services() { return impl_->services(); }

std::optional<Error> Apps::add_unmanaged_tables(const ProjectRef& project, const std::string& sql) {
    const auto lease = take(project, {LeaseKind::migrate, {}});
    if (!lease) return Error{Code::conflict, kBeingChanged, {}, {}, {}};
    auto error = devapi::add_unmanaged_tables(impl_->config, project.id, lease->row().id,
                                              lease->row().token, sql);
    lease->finish({error ? LeaseEnd::refused : LeaseEnd::applied, 0, error ? error->message : ""});
    return error;
}

std::optional<DemoRefusal> Apps::reset_demo(const ProjectRef& project, const std::string& user) {
    const auto lease = take(project, {LeaseKind::migrate, user});
    if (!lease) return DemoRefusal{DevCode::project_busy, kBeingChanged};
    auto error = devapi::reset_demo(impl_->config, project.id, lease->row().id, lease->row().token);
    lease->finish({error ? LeaseEnd::refused : LeaseEnd::applied, 0, error ? error->message : ""});
    return error;
}

void Apps::unpublish(Lease& lease) {
    lease.reach(LeaseStage::removing);
    devapi::unpublish(impl_->services(), lease, true);
    lease.finish({LeaseEnd::applied, 0, ""});
}

void Apps::remove(Lease& lease) {
    lease.reach(LeaseStage::removing);
    erase_project(impl_->services(), lease.row().project.id, true);
    lease.remove_project();
}

bool Apps::live(const std::string& project, Env env) const {
    return impl_->supervisor.wanted({project, env});
}

void Apps::pass(const std::string& project, Env env, http::Connection connection) {
    impl_->supervisor.pass({project, env}, std::move(connection));
}

void Apps::on_returned(std::function<void(http::Connection)> take) {
    impl_->supervisor.on_returned(std::move(take));
}

std::map<AppId, std::string> Apps::sockets() const { return impl_->supervisor.sockets(); }

std::map<AppId, std::string> Apps::sockets_now() const {
    return on_io(impl_->io, [this] { return sockets(); });
}

void Apps::on_socket(std::function<void(const AppId&, const std::optional<std::string>&)> called) {
    impl_->supervisor.on_socket(std::move(called));
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
