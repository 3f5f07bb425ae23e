// Sends keys and secrets of a project to the databases and servers of its app.
#include "apps/apps_impl.hpp"
#include "apps/database/provision.hpp"
#include "apps/sealed_settings.hpp"
#include "log/log.hpp"
#include "platform/keys/keys.hpp"
#include "platform/keys/unsent.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

using namespace std::chrono_literals;

constexpr auto kKeysTime = 2s;

}  // namespace

bool Apps::share_keys(const std::string& project) { return impl_->share_keys(project); }

// An environment that cannot be reached must not block the others.
bool Apps::Impl::give_keys(const std::string& project, const std::vector<KeyRecord>& records) {
    const auto open = keys.set(project, records);
    bool told = true;
    for (const Env env : kEnvironments) {
        const AppDatabase database = app_database(config, project, env);
        if (!open.contains(database.name)) continue;
        try {
            keys.write(project, database);
            told = supervisor.reload_keys({project, env}, kKeysTime) && told;
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "keys_not_written",
                       {{"project", project}, {"env", name(env)}, {"what", log_words(error)}});
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

// Sends changes that a call could not send, or that an earlier svcd left.
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

// An environment that is not served yet gets them when its server starts.
bool Apps::Impl::share_secrets(const std::string& project) {
    const auto changes = untold_changes(store, Told::secrets, project);
    bool told = true;
    for (const Env env : kEnvironments) try {
            if (states.get(project, env).built) tell_secrets(config, secrets, project, env);
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "secrets_not_told",
                       {{"project", project}, {"env", name(env)}, {"what", log_words(error)}});
            told = false;
        }
    if (told && changes) all_told(store, Told::secrets, project, *changes);
    return told;
}

}  // namespace svc::devapi
