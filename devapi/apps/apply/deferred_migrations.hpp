// Does the work that migrations of large tables deferred, one app after another, while the apps
// serve.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <mutex>
#include <optional>
#include <string>

#include "apps/app_states.hpp"
#include "migrate/migrate.hpp"

namespace svc::devapi {

// Thread-safe. Writes the remaining work to `states`.
class DeferredMigrations {
  public:
    explicit DeferredMigrations(AppStates& states) : states_(states) {}
    ~DeferredMigrations() { stop(); }

    // Blocking; worker threads only.
    void later(const AppId& app, const migrate::Target& target);
    // Ends the work in progress, which the next svcd continues. Blocks until it has ended.
    void stop();

  private:
    void run(const AppId& app, const migrate::Target& target);
    bool begin(const migrate::Target& target);
    void set_pending(const AppId& app, std::vector<migrate::Pending> left);

    AppStates& states_;
    std::mutex mutex_;
    std::optional<migrate::Target> running_;
    bool stopped_ = false;
    boost::asio::thread_pool thread_{1};
};

}  // namespace svc::devapi
