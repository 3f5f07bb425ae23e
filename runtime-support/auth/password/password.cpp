#include "auth/password/password.hpp"

#include <sodium.h>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <functional>
#include <memory>
#include <stdexcept>

#include "auth/password/argon2.hpp"
#include "http/request/proxy.hpp"

namespace svc::auth::password {
namespace {

identity::Refusal busy() {
    auto full =
        identity::refusal(Code::unavailable, "Too many people are signing in. Try again shortly.");
    full.retry_after = 1;
    return full;
}

}  // namespace

struct Passwords::Job {
    Job(const asio::any_io_executor& executor, const Requester& requester, std::string password)
        : requester(requester),
          password(std::move(password)),
          done(executor, asio::steady_timer::time_point::max()) {}
    ~Job() { sodium_memzero(password.data(), password.size()); }

    // The thread that ends a job keeps no reference to it: the timer must end on the caller's
    // executor, where it began.
    static void finish(std::shared_ptr<Job> job) {
        const auto executor = job->done.get_executor();
        asio::post(executor, [job = std::move(job)] {
            job->finished = true;
            job->done.cancel();
        });
    }

    const Requester requester;
    std::string password, hash;
    void (*work)(Job&) = nullptr;
    bool fits = false;
    bool dropped = false;   // had to make room
    bool finished = false;  // on the caller's executor alone
    asio::steady_timer done;
};

Requester requester_of(std::string_view account, std::string_view remote) {
    const std::hash<std::string_view> hash;
    return {hash(account), hash(http::counted_network(remote))};
}

Passwords::Passwords(unsigned threads, std::size_t max_waiting)
    : max_waiting_(max_waiting), threads_(threads) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium failed to start");
}

// Adds the job. Returns the job that must make room, if any; it may be this one itself.
std::shared_ptr<Passwords::Job> Passwords::enter(std::shared_ptr<Job> job) {
    const std::lock_guard lock(mutex_);
    queue_.add(std::move(job));
    if (++count_ <= max_waiting_) return nullptr;
    auto dropped = queue_.drop();
    --count_;
    return dropped;
}

void Passwords::leave() {
    const std::lock_guard lock(mutex_);
    --count_;
}

// Runs on a thread of this class, one hash at a time. Afterwards the waiting hashes of its account
// may begin.
void Passwords::serve() {
    std::unique_lock lock(mutex_);
    auto job = queue_.next();
    lock.unlock();
    if (!job) return;
    job->work(*job);
    lock.lock();
    queue_.ended(job->requester);
    lock.unlock();
    Job::finish(std::move(job));
    asio::post(threads_, [this] { serve(); });
}

Task<bool> Passwords::run(std::shared_ptr<Job> job) {
    if (auto dropped = enter(job)) {
        dropped->dropped = true;
        Job::finish(std::move(dropped));
    }
    asio::post(threads_, [this] { serve(); });
    boost::system::error_code cancelled;
    while (!job->finished)
        co_await job->done.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (job->dropped) co_return false;
    leave();
    co_return true;
}

Task<identity::Result<std::string>> Passwords::hash(const Requester& requester,
                                                    std::string password) {
    const auto executor = co_await asio::this_coro::executor;
    auto job = std::make_shared<Job>(executor, requester, std::move(password));
    job->work = [](Job& job) { job.hash = make_hash(job.password); };
    if (!co_await run(job)) co_return busy();
    if (job->hash.empty())  // argon2 found no memory
        co_return identity::refusal(Code::unavailable,
                                    "The server is out of memory right now. Try again.");
    co_return std::move(job->hash);
}

Task<identity::Result<bool>> Passwords::fits(const Requester& requester, std::string password,
                                             std::string hash) {
    const auto executor = co_await asio::this_coro::executor;
    auto job = std::make_shared<Job>(executor, requester, std::move(password));
    job->hash = std::move(hash);
    job->work = [](Job& job) { job.fits = fits_hash(job.password, job.hash); };
    if (!co_await run(job)) co_return busy();
    co_return job->fits;
}

}  // namespace svc::auth::password
