// Many calls at a time on one thread, so that those that hang hold up no others.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "http/task.hpp"
#include "outgoing/fetch.hpp"
#include "outgoing/incoming.hpp"

namespace svc::outgoing {

class Calls {
  public:
    Calls();
    ~Calls();  // running calls are dropped without a report

    // As fetch(), without a thread for each. Resumes on the executor of the awaiting coroutine.
    // Thread-safe.
    Task<Fetched> send(Fetch request) {
        co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(Fetched)>(
            [this](auto handler, Fetch asked) {
                begin(std::move(asked), resumed_with(std::move(handler)));
            },
            asio::use_awaitable, std::move(request));
    }

    // As send(), but the answer is read while it comes. `io`: the thread that reads it. The call
    // ends when the last reference to the result goes.
    std::shared_ptr<Incoming> open(asio::io_context& io, Fetch request);

  private:
    using Done = std::function<void(Fetched)>;

    template <class Handler>
    static Done resumed_with(Handler handler) {
        auto kept = std::make_shared<Handler>(std::move(handler));
        return [kept](Fetched fetched) {
            const auto executor = asio::get_associated_executor(*kept);
            asio::post(executor, [kept, fetched = std::move(fetched)]() mutable {
                std::move (*kept)(std::move(fetched));
            });
        };
    }
    void begin(Fetch request, Done done, std::shared_ptr<Incoming> incoming = nullptr);

    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace svc::outgoing
