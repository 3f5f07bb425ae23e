#include "http/progress.hpp"

#include <boost/asio.hpp>

namespace svc::devapi {
namespace {

constexpr std::size_t kMostWaiting = 16 << 20;
constexpr auto kQuiet = std::chrono::seconds(15);

struct Wake {
    std::shared_ptr<Progress> self;
    asio::steady_timer* timer;
    void operator()() const { timer->cancel(); }
};

}  // namespace

void Progress::push(std::string frame) {
    {
        const std::lock_guard lock(mutex_);
        // A client that does not read must not fill the memory.
        if (waiting_.size() > kMostWaiting) {
            listened_ = false;
            return;
        }
        waiting_ += frame;
    }
    wake();
}

void Progress::finish() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    wake();
}

void Progress::wake() { asio::post(executor_, Wake{shared_from_this(), &timer_}); }

bool Progress::take(std::string& frames, bool& finished) {
    const std::lock_guard lock(mutex_);
    frames.clear();
    frames.swap(waiting_);
    finished = finished_;
    return !frames.empty();
}

// wake() runs on this same thread, so it cannot come between looking and waiting.
Task<bool> Progress::next(std::string& frames) {
    bool finished = false;
    if (take(frames, finished)) co_return true;
    if (finished) co_return false;
    timer_.expires_after(kQuiet);
    boost::system::error_code woken;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (take(frames, finished)) co_return true;
    if (!woken) frames = ": still working\n\n";
    co_return !finished;
}

}  // namespace svc::devapi
