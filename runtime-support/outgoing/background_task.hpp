// A task that goes on by itself, on the thread of its caller, while the caller does something else.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "http/task.hpp"

namespace svc::outgoing {

// Used on the thread of `io`. The task owns what it needs, because it goes on if its caller is
// destroyed. If it throws, its result is an empty one.
template <class Result>
class BackgroundTask {
  public:
    BackgroundTask(asio::io_context& io, Task<Result> task) : state_(std::make_shared<State>(io)) {
        asio::co_spawn(io, std::move(task),
                       [state = state_](const std::exception_ptr&, Result result) {
                           state->result.emplace(std::move(result));
                           state->timer.cancel();
                       });
    }
    bool ended() const { return state_->result.has_value(); }
    // Once.
    Task<Result> wait() {
        const std::shared_ptr<State> state = state_;
        while (!state->result) {
            boost::system::error_code ignored;
            co_await state->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        co_return std::move(*state->result);
    }

  private:
    struct State {
        explicit State(asio::io_context& io) : timer(io, asio::steady_timer::time_point::max()) {}
        asio::steady_timer timer;
        std::optional<Result> result;
    };
    std::shared_ptr<State> state_;
};

}  // namespace svc::outgoing
