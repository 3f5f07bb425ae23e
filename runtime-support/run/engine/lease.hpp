// Shows other servers of the app that this process is alive: by a number, a lock that goes with the
// connection it is held on, and a heartbeat each two seconds. Runs belong to the number.
//
// Who makes exchanges anyway may send the heartbeat with them, so that an idle server makes no
// statement for it. Where none was sent for too long, the lease's own connection sends it.
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
    // Empty: there is none just now.
    const std::string& owner() const { return owner_; }
    // Is it time for a heartbeat of the owner?
    bool beat_is_due() const;
    // This number's heartbeat was sent. `alive`: others have not taken the process for dead.
    void note_beat(const std::string& owner, bool alive);
    // Something failed that hints at a lost connection: the lease looks at its own at once.
    void doubt() { timer_.cancel(); }
    // No beat any more: the number is given back.
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
