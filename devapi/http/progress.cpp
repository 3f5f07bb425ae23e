#include "http/progress.hpp"

#include <boost/asio.hpp>

namespace svc::devapi {
namespace {

constexpr std::size_t kMostWaiting = 16 << 20;
constexpr auto kQuiet = std::chrono::seconds(15);

struct Ring {
    std::shared_ptr<Progress> self;
    asio::steady_timer* bell;
    void operator()() const { bell->cancel(); }
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
    ring();
}

void Progress::finish() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    ring();
}

void Progress::ring() { asio::post(executor_, Ring{shared_from_this(), &bell_}); }

bool Progress::take(std::string& frames, bool& finished) {
    const std::lock_guard lock(mutex_);
    frames.clear();
    frames.swap(waiting_);
    finished = finished_;
    return !frames.empty();
}

// The bell is rung on this same thread, so it cannot ring between looking and waiting.
Task<bool> Progress::next(std::string& frames) {
    bool finished = false;
    if (take(frames, finished)) co_return true;
    if (finished) co_return false;
    bell_.expires_after(kQuiet);
    boost::system::error_code rung;
    co_await bell_.async_wait(asio::redirect_error(asio::use_awaitable, rung));
    if (take(frames, finished)) co_return true;
    if (!rung) frames = ": still working\n\n";
    co_return !finished;
}

}  // namespace svc::devapi
