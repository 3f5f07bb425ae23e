// The place of one app's server (a project in one environment): which process is live, which start
// and which go, and the connections that wait meanwhile. On the io thread alone.
//
// What must stay true: a connection goes only to the live process; a process is live only after it
// reported that it is ready; a draining process gets no further connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/process/process.hpp"
#include "apps/process/restart_pause.hpp"
#include "apps/process/waiting_room.hpp"

namespace svc::devapi {

class AppSlot : public std::enable_shared_from_this<AppSlot> {
  public:
    struct Hooks {
        std::function<void(http::Connection)> returned;   // a server handed it back
        std::function<void(http::Connection)> refuse;     // answer it 503
        std::function<void(bool)> live;                   // a server began or ceased to be live
        std::function<void()> starts;                     // one is started if none is live
        std::function<void(const std::string&)> crashed;  // and how
    };
    // The process, or null and the reason why there is none.
    using Started = std::function<void(Process::Self, const std::string&)>;

    AppSlot(asio::io_context& io, Hooks hooks);

    // Marks that an app belongs here: connections wait for it although nothing starts yet.
    void expect() { wanted_ = true; }
    bool wanted() const { return wanted_; }
    // The control socket of the live server, or of one that starts; empty if there is neither.
    std::string socket() const {
        return live_ ? live_->socket() : starting_ ? starting_->socket() : std::string();
    }
    // True when the live process was started in just this way.
    bool runs(const Launch& launch) const;

    // Starts a server beside the live one; it serves nobody until promote().
    void trial(const Launch& launch, const Started& started);
    // Makes the new server the live one, and drains the old one. Cannot fail: if the new server has
    // died meanwhile, the old one serves until another start of the same binary is ready.
    void promote(Process::Self trial);
    // Keeps this server running: takes over a process of an earlier svcd; if that has other
    // settings, it serves until this svcd's own is ready. Starts a server that ends again.
    void resume(const Launch& launch);
    // The same, but starts nothing, because the binary is still being built.
    void take_over(const Launch& launch);

    void pass(http::Connection connection);
    // `done` once every process has read its keys again.
    void reload_keys(const std::function<void()>& done);
    void trim_log() const;
    // Drains and ends every process, and refuses waiting connections. Calls `done` when all have
    // ended.
    void stop(std::function<void()> done);

  private:
    Process::Events events(std::function<void(Process::Self)> ready,
                           std::function<void(const std::string&)> not_ready = {});
    Process::Events standing_events();  // of what becomes live as soon as it is ready
    Process::Events found_events();     // of what an earlier svcd started
    void start();
    void start_later();
    void find_running();
    void go_live(Process::Self process);
    void retire(const Process::Self& process);
    void ended(const Process::Self& process, const std::string& how);
    void failed(const std::string& how);

    asio::io_context& io_;
    Hooks hooks_;
    WaitingRoom waiting_;
    asio::steady_timer restart_;
    RestartPause pause_;
    std::optional<Launch> launch_;  // what is started again
    bool wanted_ = false;
    Process::Self live_, starting_;
    std::vector<Process::Self> others_;  // trials, and those that drain
    std::vector<std::function<void()>> stopped_;
};

}  // namespace svc::devapi
