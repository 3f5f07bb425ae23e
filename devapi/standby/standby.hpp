// The process that replaces svcd while none runs: it holds the public listening socket, and passes
// new connections to the app servers, which continue. It answers every other request with 503.
//
// svcd starts one and sends it what it must know (standby/standby_supervisor.hpp); it accepts
// nothing until svcd is gone. The next svcd takes the socket from it and starts a fresh one. Where
// no app server is left either it ends.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "http/listen/control.hpp"
#include "http/target.hpp"
#include "platform/project/directory.hpp"

namespace svc::devapi {

class Standby : public http::Service {
  public:
    // Listens for svcd on this path. Throws std::system_error.
    explicit Standby(const std::string& socket);
    ~Standby() override;
    void run();  // returns when it is not needed any more

    bool credentials_in_query(const http::Head& head) override {
        return devapi::credentials_in_query(head);
    }
    http::Claim claim(const http::Head& head) override;
    std::size_t body_limit(const http::Head&) override { return 1 << 20; }
    Task<> handle(http::Exchange& exchange) override;
    void hand_off(http::Connection connection) override;

  private:
    void take_peer(std::shared_ptr<http::ControlConnection> peer);
    void peer_gone(const http::ControlConnection* connection);
    void take_message(http::Message message);
    void take_back(http::Message message);
    void take_listener(http::Message message);
    void take_table(int fd);
    void take_socket(const std::string& text);
    void say_ready();
    void send_listener();
    void stand_in();
    void look_for_apps();
    void connect(const AppId& app, const std::string& socket);
    void connection_closed(const AppId& app);
    Target target_of(const http::Head& head) const;
    void drain();

    asio::io_context io_{1};
    std::unique_ptr<http::ControlListener> listener_;
    std::shared_ptr<http::ControlConnection> peer_;  // svcd, while one runs
    std::string address_;  // what listen_fd_ listens on, as it was asked for
    int listen_fd_ = -1;
    Config platform_;
    Directory directory_;
    bool has_table_ = false, stands_in_ = false, draining_ = false;
    std::map<AppId, std::string> sockets_;
    std::map<AppId, std::shared_ptr<http::ControlConnection>>
        connections_;  // only while it replaces svcd
    std::chrono::steady_clock::time_point patience_;
    asio::steady_timer again_;
    http::Server server_;
};

// The whole of the process: listens on `socket`, becomes `user` where one is named, and runs.
int run_standby(const std::string& socket, const std::string& user);

}  // namespace svc::devapi
