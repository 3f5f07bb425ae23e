// svcd's end of its standby (standby/standby.hpp): takes the listening socket from the standby of
// an earlier svcd, keeps its own standby running, and sends it the socket and the routes.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/apps.hpp"
#include "apps/process/process.hpp"
#include "platform/project/directory.hpp"
#include "settings/config.hpp"

namespace svc::devapi {

class StandbySupervisor {
  public:
    using Take = std::function<void(http::Connection)>;

    // `take` gets what an earlier standby hands over. All of them outlive it.
    StandbySupervisor(asio::io_context& io, const Config& config, Directory& directory, Apps& apps,
                      Take take);

    // Before anything listens, and while nobody else turns `io`: the socket that an earlier svcd
    // listened on, -1 if there is none or it was for another address. The earlier standby passes
    // connections on until start().
    int take_listener();
    // From here on a standby runs; the earlier one goes once it is ready. io thread.
    void start(int listener);
    void stop();  // io thread

  private:
    struct Earlier;

    void find(const std::string& socket);
    void dismiss(Earlier& earlier);
    void launch();
    void launch_later();
    void watch();
    void connected(Process& process);
    void send_table(Process& process);
    void send_table();
    void send_table_soon();

    asio::io_context& io_;
    const Config& config_;
    Directory& directory_;
    Apps& apps_;
    const Take take_;
    std::vector<std::shared_ptr<Earlier>> earlier_;
    int listener_ = -1;  // the server's
    Process::Self process_;
    asio::steady_timer again_, send_timer_, ask_;
    bool silent_ = false;  // it was asked, and has not answered
    std::chrono::milliseconds pause_;
    std::chrono::steady_clock::time_point sent_at_;
    std::atomic<bool> table_changed_ = false;
    bool stopping_ = false;
};

}  // namespace svc::devapi
