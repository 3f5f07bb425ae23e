// Password hashing: argon2id on a few threads of its own, since one hash takes tens of milliseconds
// and 19 MiB. One for all io threads of a process. Addresses take turns, and an account has one
// hash at a time.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "auth/password/fair_queue.hpp"
#include "http/task.hpp"
#include "identity/result.hpp"

namespace svc::auth::password {

class Passwords {
  public:
    explicit Passwords(unsigned threads = 2, std::size_t max_waiting = 64);

    // Each task resumes on the caller's executor, which must outlive this object. Returns the hash,
    // with its salt and cost in it. If too many jobs wait, the requester with the most waiting
    // jobs gets 503.
    Task<identity::Result<std::string>> hash(const Requester& requester, std::string password);
    // True if the hash was made from this password. An empty hash matches no password and takes the
    // same time.
    Task<identity::Result<bool>> fits(const Requester& requester, std::string password,
                                      std::string hash);

  private:
    struct Job;
    // False: too many jobs wait, and this one was dropped.
    Task<bool> run(std::shared_ptr<Job> job);
    std::shared_ptr<Job> enter(std::shared_ptr<Job> job);
    void leave();
    void serve();

    const std::size_t max_waiting_;
    std::mutex mutex_;
    FairQueue<Job> queue_;
    std::size_t count_ = 0;  // jobs that wait or run
    boost::asio::thread_pool threads_;
};

}  // namespace svc::auth::password
