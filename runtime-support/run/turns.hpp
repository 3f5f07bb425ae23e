// A number of turns that coroutines of one thread take, in the order in which they ask.
#pragma once

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>

#include "http/task.hpp"

namespace svc::run {

class Turns {
  public:
    Turns(asio::io_context& io, unsigned count) : io_(io), free_(count) {}

    std::size_t waiting() const { return line_.size(); }

    // Waits for a turn; give_back() ends it.
    Task<> take() {
        if (free_ > 0) {
            --free_;
            co_return;
        }
        asio::steady_timer mine(io_, asio::steady_timer::time_point::max());
        line_.push_back(&mine);
        boost::system::error_code cancelled;
        co_await mine.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
    void give_back() {
        if (line_.empty()) {
            ++free_;
            return;
        }
        line_.front()->cancel();  // the turn is theirs now
        line_.pop_front();
    }

  private:
    asio::io_context& io_;
    unsigned free_;
    std::deque<asio::steady_timer*> line_;
};

}  // namespace svc::run
