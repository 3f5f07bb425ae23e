// The path of every request of an app server, from head to reply, in one place.
#pragma once

#include <functional>
#include <memory>

#include "http/server.hpp"
#include "ops/settings.hpp"
#include "svc/app.hpp"

namespace svc::ops {

class AppService : public http::Service {
  public:
    using HandOff = std::function<void(http::Connection)>;

    AppService(asio::io_context& io, const App& app, const Settings& settings, HandOff hand_off);
    ~AppService() override;

    // Opens one connection of each pool and reads the keys. Throws what Pool::open throws.
    Task<> open();
    // Reads svc.app_key again; requests that start after it returns see the new keys.
    Task<> reload_keys();
    // Starts the upkeep of the database (ops/upkeep.hpp), and the background work unless
    // Settings::background is off. Only one service of a process does this.
    void keep_up();
    // Takes no more runs of workflows and gives back its runs. Only for the service that does the
    // upkeep.
    Task<> leave();

    bool credentials_in_query(const http::Head& head) override;
    http::Claim claim(const http::Head& head) override;
    std::size_t body_limit(const http::Head& head) override;
    bool streams_body(const http::Head& head) override;
    Task<> handle(http::Exchange& exchange) override;
    void hand_off(http::Connection connection) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace svc::ops
