// Resumes the apps after a start of svcd: recovery first, then each app is served again.
#include "apps/apply/recover.hpp"
#include "apps/apply/restore.hpp"
#include "apps/apps_impl.hpp"
#include "apps/database/provision.hpp"
#include "apps/process/binaries.hpp"
#include "apps/sealed_settings.hpp"
#include "apps/secret_hosts.hpp"
#include "log/log.hpp"
#include "platform/keys/keys.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr std::string_view kNotStartedYet = "The app could not start yet: ";

}  // namespace

void Apps::Impl::resume(const ProjectRef& project, Env env) {
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
    write_secrets(config, secrets, project.id, env);
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
    asio::post(io, [this, app] { supervisor.reload_keys(app); });
    run_deferred_later(project.id, env);
}

// For secrets that were set before secrets had hosts: once, for all environments together.
void Apps::Impl::bind_older_secrets(const std::string& project) {
    if (!secrets.has_older(project)) return;
    const auto databases = app_databases(config);
    std::vector<SentSecret> live;
    for (const Env env : kEnvironments) {
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

void Apps::Impl::run_deferred_later(const std::string& project, Env env) {
    const AppDatabase database = app_database(config, project, env);
    deferred_migrations.later({project, env}, {database.admin_url, database.owner_role,
                                               database.data_role, database.system_role});
}

void Apps::Impl::rebuild_later(const ProjectRef& project, Env env, const ContractRecord& record) {
    asio::post(builder, [this, project, env, record] {
        try {
            const auto lease = leases.take(project, {LeaseKind::rebuild, {}, env, {}});
            if (!lease) return;
            rebuild(services(), project, env, record);
            lease->finish({LeaseEnd::applied, record.version, ""});
        } catch (const std::exception& error) {
            log::write(log::Level::error, "rebuild_failed",
                       {{"project", project.id}, {"what", log_words(error)}});
        }
    });
}

// A project that cannot be recovered must not block the others.
void Apps::Impl::recover(const std::string& project, bool serving) {
    for (const auto& left : leases.take_over(project)) try {
            // If the answer to an exchange was lost, it is not known here whether it was committed.
            if (left->row().kind == LeaseKind::restore) load_generations(config, store);
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
                return resumed_or_gone(left.first, left.second);
            } catch (const std::exception&) {
                return false;  // no database answers yet: the next beat tries again
            }
        });
        resumes = false;
    });
}

bool Apps::Impl::resumed_or_gone(const AppId& app, const ProjectRef& project) {
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

void Apps::recover() {
    load_generations(impl_->config, impl_->store);
    impl_->recover({}, false);
}

std::vector<AppId> Apps::Impl::alive(const std::vector<ProjectRef>& projects) const {
    const auto databases = app_databases(config);
    std::vector<AppId> out;
    for (const auto& project : projects)
        for (const Env env : kEnvironments)
            if (databases.contains(app_database(config, project.id, env).name))
                out.emplace_back(project.id, env);
    return out;
}

// An app that cannot start must not block the others.
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
                   {{"project", app.first}, {"env", name(app.second)}, {"what", log_words(error)}});
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
        // Its callers get "try again", not that there is no app.
        impl_->supervisor.expect(app);
        impl_->unresumed.emplace(app, by_id.at(app.first));
    }
    impl_->leases.on_beat([impl = impl_.get()] {
        impl->recover_later();
        impl->resume_later();
        impl->send_unsent();
    });
}

}  // namespace svc::devapi
