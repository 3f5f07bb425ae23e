// Threads for blocking work: SQL of the platform, password hashing, applies. Coroutines of the io
// thread wait for them without holding it.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <functional>

#include "http/task.hpp"

namespace svc::devapi {

class Workers {
  public:
    explicit Workers(std::size_t threads) : pool_(threads) {}

    // Runs `work`, which must not throw, on a worker; resumes on the caller's own executor.
    Task<> run(const std::function<void()>& work);
    // Waits for the running work. Give it no further work afterwards.
    void join() { pool_.join(); }

  private:
    asio::thread_pool pool_;
};

}  // namespace svc::devapi
