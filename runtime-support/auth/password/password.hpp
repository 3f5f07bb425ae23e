// Password hashing: argon2id on a few threads of its own, since one hash takes tens of milliseconds
// and 19 MiB. One for all io threads of a process.
#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "http/task.hpp"
#include "identity/result.hpp"

namespace svc::auth::password {

class Passwords {
  public:
    explicit Passwords(unsigned threads = 2, std::size_t max_waiting = 64);

    // Each resumes on the caller's executor, which must outlive this object.
    // The hash, with its salt and cost in it. 503 where too many wait.
    Task<identity::Result<std::string>> hash(std::string password);
    // True where the password made this hash. An empty hash fits none, and costs as much to ask.
    Task<identity::Result<bool>> fits(std::string password, std::string hash);

  private:
    struct Job;
    Task<bool> run(std::shared_ptr<Job> job);

    const std::size_t max_waiting_;
    std::atomic<std::size_t> waiting_ = 0;  // running ones included
    boost::asio::thread_pool threads_;
};

}  // namespace svc::auth::password
