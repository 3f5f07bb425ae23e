// All app servers, by project and environment. Its state lives on the io thread; the functions for
// worker threads post there and wait.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/app_states.hpp"
#include "apps/process/app_slot.hpp"
#include "apps/process/unavailable.hpp"

namespace svc::devapi {

class Supervisor {
  public:
    Supervisor(asio::io_context& io, AppStates& states);

    // ---- worker threads; they block ----
    struct Trial {
        Process::Self process;  // null: why not
        std::string error;
    };
    Trial start_beside(const AppId& app, const Launch& launch);
    void promote(const AppId& app, const Process::Self& trial);
    void discard(const Process::Self& trial);
    // Passes a connection to a server that is not live.
    void pass_to(const Process::Self& trial, http::Connection connection);
    bool runs(const AppId& app, const Launch& launch);
    // Returns when every server of the app has read its keys again: true; or after `limit`: false.
    bool reload_keys(const AppId& app, std::chrono::milliseconds limit);
    void stop(const AppId& app);

    // ---- any thread; they return at once ----
    void expect(const AppId& app);
    void resume(const AppId& app, const Launch& launch);
    void take_over(const AppId& app, const Launch& launch);

    // ---- io thread ----
    void reload_keys(const AppId& app) {
        slot(app).reload_keys([] {});
    }
    bool wanted(const AppId& app) const;
    void pass(const AppId& app, http::Connection connection);
    void on_returned(std::function<void(http::Connection)> take) { take_ = std::move(take); }
    // The control socket of each app's live or starting server (http/listen/control.hpp). Empty:
    // there is neither now.
    std::map<AppId, std::string> sockets() const;
    // Called before the earlier live server drains. None: the app has ended.
    using OnSocket = std::function<void(const AppId&, const std::optional<std::string>&)>;
    void on_socket(OnSocket called) { socket_changed_ = std::move(called); }
    // Closes connections that return or wait from now on. Calls `done` when all servers have ended.
    void stop_all(std::function<void()> done);

  private:
    AppSlot& slot(const AppId& app);
    AppSlot::Hooks hooks(const AppId& app);
    void take_back(http::Connection connection);
    void report_socket(const AppId& app);
    void watch_logs();

    asio::io_context& io_;
    AppStates& states_;
    Unavailable unavailable_;
    asio::steady_timer log_timer_;
    std::function<void(http::Connection)> take_;
    OnSocket socket_changed_ = [](const AppId&, const std::optional<std::string>&) {};
    std::map<AppId, std::shared_ptr<AppSlot>> slots_;
    bool stopping_ = false;
};

}  // namespace svc::devapi
