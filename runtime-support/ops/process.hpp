// An app server as a process: its workers, the connection to svcd or its own listening socket, and
// an orderly shutdown. Everything but the workers' own work happens on the first worker's thread.
#pragma once

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <vector>

#include "http/listen/acceptor.hpp"
#include "http/listen/control.hpp"
#include "ops/admin.hpp"
#include "ops/worker.hpp"

namespace svc::ops {

class Process {
  public:
    Process(const App& app, Settings settings);

    // Serves until it gets a signal to stop. Returns the exit code. Throws what listening throws.
    int run();

  private:
    asio::io_context& io() { return workers_.front()->io; }
    void report_to_first(Worker::Opened& callback);

    void open_workers();
    void opened(const std::string& error);
    void ready();

    void listen();
    void take_peer(std::shared_ptr<http::ControlConnection> peer);
    void take_message(http::Message message);
    void take_back(http::Message message);
    void serve(http::Connection connection);
    void hand_off(http::Connection connection);
    void reload_keys();

    void wait_for_signals();
    void drain(bool hand_over);
    void hurry();  // a signal to end while it drains
    void after(std::chrono::seconds time, void (Process::*act)());
    void end_streams();
    void drained();
    void end_well();
    void end(int code);

    const App& app_;
    const Settings settings_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unique_ptr<asio::signal_set> signals_;
    std::unique_ptr<asio::steady_timer> patience_;
    std::unique_ptr<http::ControlListener> listener_;
    std::unique_ptr<http::Acceptor> acceptor_;
    std::unique_ptr<ops::Admin> admin_;
    std::shared_ptr<http::ControlConnection> peer_;
    std::vector<http::Connection> early_;  // came before the database was open
    std::size_t next_ = 0;                 // worker of the next connection
    std::size_t to_open_ = 0;
    std::size_t to_drain_ = 0;
    bool ready_ = false;
    bool draining_ = false;
    bool drained_ = false;
    int code_ = 0;
};

}  // namespace svc::ops
