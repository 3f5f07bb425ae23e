// A concurrency limit for coroutines of one thread. Waiting coroutines continue in the order in
// which they asked.
#pragma once

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>

#include "http/task.hpp"

namespace svc::http {

class ConcurrencyLimit {
  public:
    ConcurrencyLimit(asio::io_context& io, unsigned most) : io_(io), free_(most) {}

    std::size_t waiting() const { return queue_.size(); }

    // Waits until there is a free place and takes it; leave() gives it back.
    Task<> enter() {
        if (free_ > 0) {
            --free_;
            co_return;
        }
        asio::steady_timer mine(io_, asio::steady_timer::time_point::max());
        queue_.push_back(&mine);
        boost::system::error_code cancelled;
        co_await mine.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    void leave() {
        if (queue_.empty()) {
            ++free_;
            return;
        }
        queue_.front()->cancel();  // the place is theirs now
        queue_.pop_front();
    }

  private:
    asio::io_context& io_;
    unsigned free_;
    std::deque<asio::steady_timer*> queue_;
};

}  // namespace svc::http
