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
    bool sent = true;
    for (const Env env : kEnvironments) {
        const AppDatabase database = app_database(config, project, env);
        if (!open.contains(database.name)) continue;
        try {
            keys.write(project, database);
            sent = supervisor.reload_keys({project, env}, kKeysTime) && sent;
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "keys_not_written",
                       {{"project", project}, {"env", name(env)}, {"what", log_words(error)}});
            sent = false;
        }
    }
    return sent;
}

bool Apps::Impl::share_keys(const std::string& project) {
    const std::lock_guard lock(key_lists.of(project));
    const auto changes = unsent_changes(store, Unsent::keys, project);
    const bool sent = give_keys(project, records(project_keys(store, project)));
    if (sent && changes) mark_sent(store, Unsent::keys, project, *changes);
    return sent;
}

// Sends changes that a call could not send, or that an earlier svcd left.
void Apps::Impl::send_unsent() {
    if (sending.exchange(true)) return;
    asio::post(sender, [this] {
        try {
            for (const auto& project : unsent_projects(store, Unsent::keys)) share_keys(project);
            for (const auto& project : unsent_projects(store, Unsent::secrets))
                share_secrets(project);
        } catch (const std::exception&) {
            // The platform's database is away: the next beat tries again.
        }
        sending = false;
    });
}

bool Apps::share_secrets(const std::string& project) { return impl_->share_secrets(project); }

// An environment that is not served yet gets them when its server starts.
bool Apps::Impl::share_secrets(const std::string& project) {
    const auto changes = unsent_changes(store, Unsent::secrets, project);
    bool sent = true;
    for (const Env env : kEnvironments) try {
            if (states.get(project, env).built) write_secrets(config, secrets, project, env);
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "secrets_not_told",
                       {{"project", project}, {"env", name(env)}, {"what", log_words(error)}});
            sent = false;
        }
    if (sent && changes) mark_sent(store, Unsent::secrets, project, *changes);
    return sent;
}

}  // namespace svc::devapi
