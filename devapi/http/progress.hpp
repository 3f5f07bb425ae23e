// Events that a worker makes and a coroutine of the io thread sends on.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "http/task.hpp"

namespace svc::devapi {

class Progress : public std::enable_shared_from_this<Progress> {
  public:
    explicit Progress(asio::any_io_executor executor) : executor_(executor), timer_(executor) {}

    void push(std::string frame);                // any thread
    void finish();                               // io thread, after the last push
    void lose_listener() { listened_ = false; }  // any thread
    bool listened() const { return listened_; }

    // io thread. Waits for something to send, at most 15 s: then a comment that keeps the line
    // open. False once all is taken and finish() was called.
    Task<bool> next(std::string& frames);

  private:
    void wake();
    bool take(std::string& frames, bool& finished);

    asio::any_io_executor executor_;
    asio::steady_timer timer_;
    std::mutex mutex_;
    std::string waiting_;
    bool finished_ = false;
    std::atomic<bool> listened_ = true;
};

}  // namespace svc::devapi
