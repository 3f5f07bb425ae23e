// Shows other servers of the app that this process is alive: by a number, a lock that goes with the
// connection it is held on, and a heartbeat each two seconds. Runs belong to the number.
//
// The owner may send the heartbeat with its own exchanges, so that an idle server needs no
// statement for it. If none was sent for too long, the lease's own connection sends it.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "http/task.hpp"

namespace svc::run {

class Lease {
  public:
    // `changed` is called on the thread of `io`, with each number that is taken.
    Lease(asio::io_context& io, std::string url, std::function<void()> changed);
    ~Lease();

    // Takes a number soon, and keeps one from then on.
    void want();
    // The present number. Empty: there is none now.
    const std::string& owner() const { return owner_; }
    // True if it is time for a heartbeat of the owner.
    bool beat_is_due() const;
    // This number's heartbeat was sent. `alive`: others have not taken the process for dead.
    void note_beat(const std::string& owner, bool alive);
    // Makes the lease check its own connection at once, because a failure suggests a lost
    // connection.
    void doubt() { timer_.cancel(); }
    // Stops the heartbeat and gives the number back.
    void end() { ended_ = true; }

  private:
    Task<> keep();

    struct Held;
    asio::io_context& io_;
    std::function<void()> changed_;
    std::shared_ptr<Held> held_;  // the connection; used on the one thread of threads_
    std::string owner_, complained_;
    asio::steady_timer timer_;
    std::chrono::steady_clock::time_point beaten_;
    bool wanted_ = false, ended_ = false;
    asio::thread_pool threads_{1};
};

}  // namespace svc::run
