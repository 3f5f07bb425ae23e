// Work that goes on while its caller does something else.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "http/task.hpp"

namespace svc::outgoing {

// Used on the thread of `io`, which must outlive all work. The work owns what it needs, because it
// continues if its caller is destroyed.
template <class Result>
class BackgroundWork {
  public:
    // Runs `work()`, which blocks and throws nothing, on a thread of `executor`.
    template <class Executor, class Work>
    BackgroundWork(asio::io_context& io, const Executor& executor, Work work)
        : state_(std::make_shared<State>(io)) {
        asio::post(executor, [&io, state = state_, work = std::move(work)]() mutable {
            asio::post(io, [state, result = work()]() mutable { state->end(std::move(result)); });
        });
    }
    // Runs a task on the thread of `io`. If it throws, its result is an empty one.
    BackgroundWork(asio::io_context& io, Task<Result> task) : state_(std::make_shared<State>(io)) {
        asio::co_spawn(io, std::move(task),
                       [state = state_](const std::exception_ptr&, Result result) {
                           state->end(std::move(result));
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
        void end(Result given) {
            result.emplace(std::move(given));
            timer.cancel();
        }
        asio::steady_timer timer;
        std::optional<Result> result;
    };
    std::shared_ptr<State> state_;
};

}  // namespace svc::outgoing
