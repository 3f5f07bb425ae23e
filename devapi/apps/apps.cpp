#include "apps/apps.hpp"

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>

#include "apps/apply/apply.hpp"
#include "apps/apply/deferred_migrations.hpp"
#include "apps/apply/exposure.hpp"
#include "apps/apply/lease.hpp"
#include "apps/apply/preview.hpp"
#include "apps/apply/recover.hpp"
#include "apps/database/demo.hpp"
#include "apps/database/provision.hpp"
#include "apps/database/restore.hpp"
#include "apps/database/sql_role.hpp"
#include "apps/database/unmanaged_tables.hpp"
#include "apps/io_call.hpp"
#include "apps/key_origins.hpp"
#include "apps/process/binaries.hpp"
#include "apps/sealed_settings.hpp"
#include "apps/secret_hosts.hpp"
#include "diag/source_map.hpp"
#include "log/log.hpp"
#include "pipeline.hpp"
#include "platform/keys.hpp"
#include "platform/log_words.hpp"
#include "platform/untold.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr const char* kDev = "dev";
constexpr std::string_view kNotStartedYet = "The app could not be started yet: ";
constexpr auto kKeysTime = 2s;
constexpr auto kShutdownTime = 10s;

}  // namespace

struct Apps::Impl {
    Impl(asio::io_context& io, AppsConfig config, Store& store, const std::string& holder)
        : io(io),
          config(std::move(config)),
          supervisor(io, states),
          secrets(store, this->config.master_key),
          store(store),
          leases(store, holder) {}

    ApplyServices services() {
        return {config, supervisor, keys, states, secrets, store, published};
    }
    void resume(const ProjectRef& project, const std::string& env);
    bool resumed(const AppId& app, const ProjectRef& project);
    void bind_older_secrets(const std::string& project);
    void resume_later();
    bool settled(const AppId& app, const ProjectRef& project);
    void rebuild_later(const ProjectRef& project, const std::string& env,
                       const ContractRecord& record);
    std::vector<AppId> alive(const std::vector<ProjectRef>& projects) const;
    void recover(const std::string& project, bool serving);
    void recover_later();
    void settle_later(const std::string& project, const std::string& env);
    bool give_keys(const std::string& project, const std::vector<KeyRecord>& records);
    bool share_keys(const std::string& project);
    bool share_secrets(const std::string& project);
    void tell_later();

    asio::io_context& io;
    const AppsConfig config;
    AppStates states;
    KeyBook keys{[this](const std::string& project, std::vector<KeyRecord>& list) {
        narrow_origins(config, store, project, list);
    }};
    ProjectLocks key_lists;  // held from reading a project's keys until its app has them
    Supervisor supervisor;
    const Secrets secrets;
    Store& store;
    std::function<void()> published = [] {};
    std::atomic<bool> recovers = false;
    DeferredMigrations deferred_migrations{states};
    std::atomic<bool> tells = false, resumes = false;
    std::map<AppId, ProjectRef> unresumed;    // while `resumes`, the builder's alone
    asio::thread_pool builder{1}, teller{1};  // a server that hangs keeps nobody's build waiting
    Leases leases;  // last: its thread gives work to the builder, which has ended its own by then
};

void Apps::Impl::resume(const ProjectRef& project, const std::string& env) {
    const AppId app{project.id, env};
    const AppDatabase database = app_database(config, project.id, env);
    const auto record = read_record(database);
    if (!record) return;
    // The passwords follow the master key, which may be another one now.
    provision(config, database);
    {
        const std::lock_guard lock(key_lists.of(project.id));
        keys.set(project.id, records(project_keys(store, project.id)));
        keys.write(project.id, database);
    }
    bind_older_secrets(project.id);
    tell_secrets(config, secrets, project.id, env);
    states.change(app, [&record](AppState& state) {
        state.built = true;
        state.version = record->version;
        state.contract = record->contract;
    });
    supervisor.expect(app);
    const Launch launch = make_launch(config, project, env, database, record->binary_path,
                                      site_of(store, project, env));
    if (!is_there(record->binary_path)) {
        supervisor.take_over(app, launch);
        return rebuild_later(project, env, *record);
    }
    supervisor.resume(app, launch);
    asio::post(io, [this, app] { supervisor.tell_keys(app); });
    settle_later(project.id, env);
}

// Of secrets from before there were hosts: once, for all environments together.
void Apps::Impl::bind_older_secrets(const std::string& project) {
    if (!secrets.has_older(project)) return;
    const auto databases = app_databases(config);
    std::vector<SentSecret> live;
    for (const auto& env : environments()) {
        const AppDatabase database = app_database(config, project, env);
        const auto record =
            databases.contains(database.name) ? read_record(database) : std::nullopt;
        if (!record) continue;
        const SecretScope scope{secrets, project, secrets_env(env)};
        for (auto& sent : sent_secrets(secret_uses(record->contract, scope), scope))
            live.push_back(std::move(sent));
    }
    secrets.bind_older(project, live);
}

void Apps::Impl::settle_later(const std::string& project, const std::string& env) {
    const AppDatabase database = app_database(config, project, env);
    deferred_migrations.later({project, env}, {database.admin_url, database.owner_role,
                                               database.data_role, database.system_role});
}

void Apps::Impl::rebuild_later(const ProjectRef& project, const std::string& env,
                               const ContractRecord& record) {
    asio::post(builder, [this, project, env, record] {
        try {
            const auto lease = leases.take(project, {"rebuild", {}, env, {}});
            if (!lease) return;
            rebuild(services(), project, env, record);
            lease->finish({"applied", record.version, "", ""});
        } catch (const std::exception& error) {
            log::write(log::Level::error, "rebuild_failed",
                       {{"project", project.id}, {"what", log_words(error)}});
        }
    });
}

// One that cannot be recovered must not keep the others from it.
void Apps::Impl::recover(const std::string& project, bool serving) {
    for (const auto& left : leases.take_over(project)) try {
            // Whether an exchange was committed is not known here where its answer was lost.
            if (left->row().kind == "restore") load_generations(config, store);
            devapi::recover(services(), *left, serving);
        } catch (const std::exception& error) {
            log::write(log::Level::error, "recovery_failed",
                       {{"project", left->row().project.id}, {"what", log_words(error)}});
        }
}

// Apps whose databases were away when svcd started.
void Apps::Impl::resume_later() {
    if (resumes.exchange(true)) return;
    asio::post(builder, [this] {
        std::erase_if(unresumed, [this](const auto& left) {
            try {
                return settled(left.first, left.second);
            } catch (const std::exception&) {
                return false;  // no database answers yet: the next beat tries again
            }
        });
        resumes = false;
    });
}

bool Apps::Impl::settled(const AppId& app, const ProjectRef& project) {
    const auto built = [&] { return states.get(app.first, app.second).built; };
    if (built()) return true;  // an apply came first
    const std::string database = app_database(config, app.first, app.second).name;
    const bool there = app_databases(config).contains(database);
    if (there && !resumed(app, project)) return false;
    if (!built()) supervisor.stop(app);  // it is gone, or nothing was ever applied
    return true;
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
    impl_->leases.on_beat({});
    impl_->builder.join();
    impl_->teller.join();
}

void Apps::recover() {
    load_generations(impl_->config, impl_->store);
    impl_->recover({}, false);
}

std::vector<AppId> Apps::Impl::alive(const std::vector<ProjectRef>& projects) const {
    const auto databases = app_databases(config);
    std::vector<AppId> out;
    for (const auto& project : projects)
        for (const auto& env : environments())
            if (databases.contains(app_database(config, project.id, env).name))
                out.emplace_back(project.id, env);
    return out;
}

// One app that cannot start must not keep the others from it.
bool Apps::Impl::resumed(const AppId& app, const ProjectRef& project) {
    try {
        resume(project, app.second);
        states.change(app, [](AppState& state) {
            if (state.last_error && state.last_error->starts_with(kNotStartedYet))
                state.last_error.reset();
        });
        return true;
    } catch (const std::exception& error) {
        log::write(log::Level::error, "resume_failed",
                   {{"project", app.first}, {"env", app.second}, {"what", log_words(error)}});
        states.change(app, [&error](AppState& state) {
            state.last_error = std::string(kNotStartedYet) + log_words(error);
        });
        return false;
    }
}

void Apps::resume(const std::vector<ProjectRef>& projects) {
    const auto alive = impl_->alive(projects);
    clear_leftovers(impl_->config, alive);
    std::map<std::string, ProjectRef> by_id;
    for (const auto& project : projects) by_id[project.id] = project;
    for (const auto& app : alive) {
        if (impl_->resumed(app, by_id.at(app.first))) continue;
        // Its callers are told to come again, not that there is no app.
        impl_->supervisor.expect(app);
        impl_->unresumed.emplace(app, by_id.at(app.first));
    }
    impl_->leases.on_beat([impl = impl_.get()] {
        impl->recover_later();
        impl->resume_later();
        impl->tell_later();
    });
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
    if (impl_->states.get(project).built) impl_->settle_later(project, kDev);
    return outcome;
}

ApplyOutcome Apps::release(Lease& lease, const std::string& contract, const Release& release,
                           const std::vector<KeyRecord>& keys,
                           const std::function<void(const Stage&)>& progress) {
    const std::string& project = lease.row().project.id;
    impl_->keys.offer(project, keys);
    auto outcome = devapi::release(impl_->services(), lease, contract, release, progress);
    if (impl_->states.get(project, release.env).built) impl_->settle_later(project, release.env);
    return outcome;
}

RestoreOutcome Apps::restore(Lease& lease, const SnapshotRecord& snapshot, const std::string& user,
                             const std::function<void(const Stage&)>& progress) {
    return devapi::restore(impl_->services(), lease, snapshot, user, progress);
}

SnapshotRecord Apps::take_snapshot(const SnapshotWish& wish) const {
    return Snapshots(impl_->store, impl_->config.home)
        .take(app_database(impl_->config, wish.project, wish.env), wish);
}

Snapshots Apps::snapshots() const { return {impl_->store, impl_->config.home}; }

void Apps::on_published(std::function<void()> tell) { impl_->published = std::move(tell); }

ApplyOutcome Apps::preview(const ProjectRef& project, const std::string& contract,
                           bool sets_secrets,
                           const std::vector<migrate::Replaced>& replaced) const {
    return devapi::preview(impl_->config, impl_->secrets, project, state(project.id).contract,
                           contract, sets_secrets, replaced);
}

std::optional<LiveContract> Apps::current_contract(const std::string& project) const {
    const AppDatabase database = app_database(impl_->config, project, kDev);
    if (!app_databases(impl_->config).contains(database.name)) return std::nullopt;
    const auto record = read_record(database);
    if (!record) return std::nullopt;
    return LiveContract{record->version, record->contract};
}

Unmanaged Apps::unmanaged(const std::string& project, const std::string& table) const {
    return read_unmanaged(app_database(impl_->config, project, kDev), table);
}

CheckOutcome Apps::check(const std::string& project, const std::string& contract,
                         bool sets_secrets) const {
    pipeline::Checked checked = pipeline::check(contract, proving(impl_->config));
    CheckOutcome outcome;
    outcome.exposure = exposure_change(state(project).contract, checked);
    if (checked.plan) {
        diag::Findings findings;
        const SecretScope scope{impl_->secrets, project, kDev};
        const auto said = sets_secrets ? uses_brought_in(contract, state(project).contract, scope)
                                       : std::vector<SecretUse>{};
        check_secret_hosts(contract, scope, said, findings);
        diag::SourceMap(contract).locate(findings);
        for (auto& finding : findings.items()) checked.findings.add(std::move(finding));
        checked.findings.sort();
        outcome.matrix = check::matrix_text(checked.exposure);
        outcome.table = check::table_text(checked.exposure);
    }
    outcome.findings = std::move(checked.findings);
    return outcome;
}

ApplyServices Apps::services() { return impl_->services(); }

std::optional<Error> Apps::add_unmanaged_tables(const ProjectRef& project, const std::string& sql) {
    const auto lease = take(project, {"migrate", {}});
    if (!lease)
        return Error{Code::conflict, "The app is being changed just now. Try again.", {}, {}, {}};
    auto error = devapi::add_unmanaged_tables(impl_->config, project.id, lease->row().id,
                                              lease->row().token, sql);
    lease->finish({error ? "refused" : "applied", 0, error ? error->message : "", ""});
    return error;
}

std::optional<DemoRefusal> Apps::reset_demo(const ProjectRef& project, const std::string& user) {
    const auto lease = take(project, {"migrate", user});
    if (!lease)
        return DemoRefusal{DevCode::project_busy, "The app is being changed just now. Try again."};
    auto error = devapi::reset_demo(impl_->config, project.id, lease->row().id, lease->row().token);
    lease->finish({error ? "refused" : "applied", 0, error ? error->message : "", ""});
    return error;
}

bool Apps::share_keys(const std::string& project) { return impl_->share_keys(project); }

// An environment that cannot be told must not keep the others from it.
bool Apps::Impl::give_keys(const std::string& project, const std::vector<KeyRecord>& records) {
    const auto open = keys.set(project, records);
    bool told = true;
    for (const auto& env : environments()) {
        const AppDatabase database = app_database(config, project, env);
        if (!open.contains(database.name)) continue;
        try {
            keys.write(project, database);
            told = supervisor.reload_keys({project, env}, kKeysTime) && told;
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "keys_not_written",
                       {{"project", project}, {"env", env}, {"what", log_words(error)}});
            told = false;
        }
    }
    return told;
}

bool Apps::Impl::share_keys(const std::string& project) {
    const std::lock_guard lock(key_lists.of(project));
    const auto changes = untold_changes(store, Told::keys, project);
    const bool told = give_keys(project, records(project_keys(store, project)));
    if (told && changes) all_told(store, Told::keys, project, *changes);
    return told;
}

// Those that a call could not tell, or that a svcd which is gone left.
void Apps::Impl::tell_later() {
    if (tells.exchange(true)) return;
    asio::post(teller, [this] {
        try {
            for (const auto& project : untold_projects(store, Told::keys)) share_keys(project);
            for (const auto& project : untold_projects(store, Told::secrets))
                share_secrets(project);
        } catch (const std::exception&) {
            // The platform's database is away: the next beat tries again.
        }
        tells = false;
    });
}

bool Apps::share_secrets(const std::string& project) { return impl_->share_secrets(project); }

// An environment that is not served yet is told as its server starts.
bool Apps::Impl::share_secrets(const std::string& project) {
    const auto changes = untold_changes(store, Told::secrets, project);
    bool told = true;
    for (const auto& env : environments()) try {
            if (states.get(project, env).built) tell_secrets(config, secrets, project, env);
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "secrets_not_told",
                       {{"project", project}, {"env", env}, {"what", log_words(error)}});
            told = false;
        }
    if (told && changes) all_told(store, Told::secrets, project, *changes);
    return told;
}

AppState Apps::state(const std::string& project, const std::string& env) const {
    return impl_->states.get(project, env);
}

std::string Apps::database_url(const std::string& project, const std::string& env) const {
    if (!impl_->states.get(project, env).built) return {};
    return app_database(impl_->config, project, env).admin_url;
}

std::optional<AppDatabase> Apps::sql_access(const std::string& project, const std::string& env,
                                            std::string& error) const {
    const std::string url = database_url(project, env);
    if (url.empty()) return std::nullopt;
    AppDatabase database = app_database(impl_->config, project, env);
    database.admin_url = url;
    error = make_sql_role(impl_->config, database);
    return database;
}

Apps::Traces Apps::traces(const std::string& project, const std::string& env) const {
    return {project_folder(impl_->config, project, env) + "/server.log",
            requests_file(impl_->config, project, env)};
}

std::string Apps::generated_folder(const std::string& project) const {
    return project_folder(impl_->config, project, kDev) + "/generated";
}

void Apps::unpublish(Lease& lease) {
    lease.reach("removing");
    devapi::unpublish(impl_->services(), lease, true);
    lease.finish({"applied", 0, "", ""});
}

void Apps::remove(Lease& lease) {
    lease.reach("removing");
    erase_project(impl_->services(), lease.row().project.id, true);
    lease.remove_project();
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

std::map<AppId, std::string> Apps::sockets() const { return impl_->supervisor.sockets(); }

void Apps::on_socket(std::function<void(const AppId&, const std::optional<std::string>&)> tell) {
    impl_->supervisor.on_socket(std::move(tell));
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
