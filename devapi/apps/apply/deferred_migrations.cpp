#include "apps/apply/deferred_migrations.hpp"

#include <boost/asio/post.hpp>
#include <exception>

#include "log/log.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {

// The state names the remaining work before an apply is answered: otherwise its caller could read
// for a moment that nothing is left.
void DeferredMigrations::later(const AppId& app, const migrate::Target& target) {
    try {
        set_pending(app, migrate::pending(target));
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "pending_not_read",
                   {{"project", app.first}, {"what", log_words(error)}});
    }
    boost::asio::post(thread_, [this, app, target] { run(app, target); });
}

// An apply that meets it ends it, and asks for it again when it is done itself.
void DeferredMigrations::run(const AppId& app, const migrate::Target& target) try {
    if (!begin(target)) return;
    const auto waiting = migrate::pending(target);
    set_pending(app, waiting);
    if (!waiting.empty()) set_pending(app, migrate::run_deferred(target));
    const std::lock_guard lock(mutex_);
    running_.reset();
} catch (const std::exception& error) {
    log::write(log::Level::warning, "settling_broken_off",
               {{"project", app.first}, {"what", log_words(error)}});
    const std::lock_guard lock(mutex_);
    running_.reset();
}

void DeferredMigrations::set_pending(const AppId& app, std::vector<migrate::Pending> left) {
    states_.change(app, [&](AppState& state) { state.pending = std::move(left); });
}

bool DeferredMigrations::begin(const migrate::Target& target) {
    const std::lock_guard lock(mutex_);
    if (!stopped_) running_ = target;
    return !stopped_;
}

void DeferredMigrations::stop() {
    std::optional<migrate::Target> running;
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        running = running_;
    }
    try {
        if (running) migrate::interrupt(*running);
    } catch (const std::exception&) {
        // Its database is gone, and so is what ran there.
    }
    thread_.join();
}

}  // namespace svc::devapi
