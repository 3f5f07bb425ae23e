// Work that blocks, away from the io threads.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
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

}  // namespace svc::outgoing
