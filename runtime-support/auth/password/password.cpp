#include "auth/password/password.hpp"

#include <sodium.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <stdexcept>

#include "auth/password/argon2.hpp"

namespace svc::auth::password {
namespace {

identity::Refusal busy() {
    return identity::refusal(Code::unavailable,
                             "Too many people are signing in. Try again shortly.");
}

}  // namespace

struct Passwords::Job {
    Job(const asio::any_io_executor& executor, std::string password)
        : password(std::move(password)), done(executor, asio::steady_timer::time_point::max()) {}
    ~Job() { sodium_memzero(password.data(), password.size()); }

    std::string password, hash;
    void (*work)(Job&) = nullptr;
    bool fits = false;
    bool finished = false;  // on the caller's executor alone
    asio::steady_timer done;
};

Passwords::Passwords(unsigned threads, std::size_t max_waiting)
    : max_waiting_(max_waiting), threads_(threads) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium did not start");
}

// False where too many wait.
Task<bool> Passwords::run(std::shared_ptr<Job> job) {
    if (++waiting_ > max_waiting_) {
        --waiting_;
        co_return false;
    }
    // The thread keeps no share in the job: its timer ends where it began, on the caller's
    // executor.
    asio::post(threads_, [job]() mutable {
        job->work(*job);
        const auto executor = job->done.get_executor();
        asio::post(executor, [job = std::move(job)] {
            job->finished = true;
            job->done.cancel();
        });
    });
    boost::system::error_code cancelled;
    while (!job->finished)
        co_await job->done.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    --waiting_;
    co_return true;
}

Task<identity::Result<std::string>> Passwords::hash(std::string password) {
    const auto executor = co_await asio::this_coro::executor;
    auto job = std::make_shared<Job>(executor, std::move(password));
    job->work = [](Job& job) { job.hash = make_hash(job.password); };
    if (!co_await run(job)) co_return busy();
    if (job->hash.empty())  // argon2 found no memory
        co_return identity::refusal(Code::unavailable, "The server is out of memory just now.");
    co_return std::move(job->hash);
}

Task<identity::Result<bool>> Passwords::fits(std::string password, std::string hash) {
    const auto executor = co_await asio::this_coro::executor;
    auto job = std::make_shared<Job>(executor, std::move(password));
    job->hash = std::move(hash);
    job->work = [](Job& job) { job.fits = fits_hash(job.password, job.hash); };
    if (!co_await run(job)) co_return busy();
    co_return job->fits;
}

}  // namespace svc::auth::password
