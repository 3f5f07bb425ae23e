// One app server as svcd sees it: a process, watched until it ends, and the line to it. On the io
// thread alone.
//
// It is watched through a pidfd, so a process of an earlier svcd is watched like a child, and no
// signal reaches another process with the same number.
#pragma once

#include <sys/types.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "apps/process/launch.hpp"
#include "http/listen/control.hpp"

namespace svc::devapi {

class Process : public std::enable_shared_from_this<Process> {
  public:
    using Self = std::shared_ptr<Process>;
    struct Events {
        std::function<void(Process&)> connected = {};    // the connection is open: send() works
        std::function<void(Self)> ready;                 // once
        std::function<void(http::Connection)> returned;  // handed back
        std::function<void(http::Message)> said = {};    // any other message; takes its fd
        std::function<void(Self, const std::string&)> ended;  // once, last of all: how it ended
    };

    // Starts the server. A server that is not ready within 20 s is killed. Throws
    // std::system_error.
    static Self start(asio::io_context& io, const Launch& launch, Events events);
    // The server that listens on `socket`; null if none does. It has 20 s to say that it is ready.
    // Whether it was started as `launch` says: is().
    static Self find(asio::io_context& io, const std::string& socket, const Launch& launch,
                     Events events);
    ~Process();

    const Launch& launch() const { return launch_; }
    // True if it was started with exactly this launch.
    bool is(const Launch& launch) const { return !otherwise_ && launch_ == launch; }
    pid_t pid() const { return pid_; }
    const std::string& socket() const { return socket_; }
    bool ready() const { return ready_; }
    bool alive() const { return pidfd_.is_open(); }
    // True while it accepts connections. Call pass() only then.
    bool serves() const { return ready_ && control_ && !ending_; }
    std::chrono::steady_clock::time_point ready_at() const { return ready_at_; }

    void pass(http::Connection connection);
    // Takes message.fd. The message is lost if there is no control connection.
    void send(http::Message message);
    // Makes it read its keys again. `done` is called when it has, or when it has ended. A starting
    // process may have read them already, so it gets the message when it is ready.
    void reload_keys(std::function<void()> done);
    // Stops new connections. The process hands back idle ones, ends the others, and ends; after
    // `limit` it gets a signal.
    void drain(std::chrono::milliseconds limit);
    // Ends it now: SIGTERM, and SIGKILL after five seconds.
    void end();
    void kill();  // with SIGKILL

  private:
    Process(asio::io_context& io, pid_t pid, std::string socket, Launch launch, Events events);
    void watch();
    void connect_soon();
    void attach(int fd);
    void receive(http::Message message);
    void become_ready();
    void keys_are_read();
    void line_closed();
    void after(std::chrono::milliseconds time, void (Process::*act)());
    void kill_late();
    void signal(int number);
    void exited();
    void finish();
    std::string how_it_ended();

    asio::io_context& io_;
    const pid_t pid_;
    const std::string socket_;
    const Launch launch_;
    Events events_;
    asio::posix::stream_descriptor pidfd_;
    asio::steady_timer connect_timer_, end_timer_;
    std::shared_ptr<http::ControlConnection> control_;
    struct KeysAsked {
        std::function<void()> done;
        std::chrono::steady_clock::time_point at;
    };
    std::deque<KeysAsked> keys_asked_;  // in the order of their 'k'
    std::uint64_t log_from_;
    std::string how_;
    unsigned turn_ = 0;  // of the end timer: an earlier one that fired already must not act
    bool ready_ = false, ending_ = false, late_ = false;
    bool otherwise_ = false;  // found, and started in another way than launch_
    std::chrono::steady_clock::time_point ready_at_;
};

}  // namespace svc::devapi
