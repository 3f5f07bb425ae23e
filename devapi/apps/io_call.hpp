// Runs a function on the io thread for a worker thread: posts and waits. Never call these on the io
// thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <memory>
#include <utility>

#include "http/task.hpp"

namespace svc::devapi {

// Runs `act` on the io thread and returns its result, or throws its exception.
template <class Act>
auto on_io(asio::io_context& io, Act act) {
    std::packaged_task<decltype(act())()> task(std::move(act));
    auto result = task.get_future();
    // In a lambda, because post() takes a bare packaged_task as a request to return its future.
    asio::post(io, [task = std::move(task)]() mutable { task(); });
    return result.get();
}

// Runs `act` on the io thread with a function to call, at any later time there, with the result.
// Calls after the first one do nothing.
template <class Result, class Act>
std::future<Result> promised_on_io(asio::io_context& io, Act act) {
    auto promise = std::make_shared<std::promise<Result>>();
    auto given = std::make_shared<bool>(false);
    auto future = promise->get_future();
    asio::post(io, [promise, given, act = std::move(act)]() mutable {
        act([promise, given](Result result) {
            if (!std::exchange(*given, true)) promise->set_value(std::move(result));
        });
    });
    return future;
}

}  // namespace svc::devapi
