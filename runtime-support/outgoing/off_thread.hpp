// Work that blocks, away from the io threads.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "http/task.hpp"

namespace svc::outgoing {

template <class Result, class Work>
Task<Result> run_there(Work work) {
    co_return work();
}

// Runs `work()` on a thread of `threads` and resumes on the executor of the awaiting coroutine.
// `work` owns its data, because it continues if its caller is destroyed.
template <class Work>
auto off_thread(asio::thread_pool& threads, Work work) -> Task<decltype(work())> {
    co_return co_await asio::co_spawn(threads, run_there<decltype(work()), Work>(std::move(work)),
                                      asio::use_awaitable);
}

// Work that runs while its caller continues. Used on the thread of `io`, which must outlive the
// threads of `executor`. As above, `work` owns what it needs, and throws nothing.
template <class Result>
class BackgroundWork {
  public:
    template <class Executor, class Work>
    BackgroundWork(asio::io_context& io, const Executor& executor, Work work)
        : state_(std::make_shared<State>(io)) {
        asio::post(executor, [state = state_, work = std::move(work)]() mutable {
            state->result.emplace(work());
            asio::post(state->io, [state] { state->end(); });
        });
    }
    bool ended() const { return state_->ended; }
    // Once.
    Task<Result> wait() {
        const std::shared_ptr<State> state = state_;
        while (!state->ended) {
            boost::system::error_code ignored;
            co_await state->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        }
        co_return std::move(*state->result);
    }

  private:
    struct State {
        explicit State(asio::io_context& on)
            : io(on), timer(on, asio::steady_timer::time_point::max()) {}
        void end() {
            ended = true;
            timer.cancel();
        }
        asio::io_context& io;
        asio::steady_timer timer;  // of the caller's thread, as `ended` is
        bool ended = false;
        std::optional<Result> result;
    };
    std::shared_ptr<State> state_;
};

}  // namespace svc::outgoing
