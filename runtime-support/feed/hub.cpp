#include "feed/hub.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include "log/log.hpp"

namespace svc::feed {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 20ms;
constexpr auto kLeast = 2ms;  // between two readings: a busy writer is not asked after each commit
constexpr auto kBackOff = 250ms;
constexpr unsigned kPage = 1000;

}  // namespace

void Hub::start(asio::io_context& io, db::Pool& system, const Judge& judge) {
    {
        const std::lock_guard lock(mutex_);
        io_ = &io;
    }
    bell_.listen([this] {
        if (streams_ > 0) wake();
    });
    asio::co_spawn(io, run(system, judge), asio::detached);
}

void Hub::attach(asio::io_context& io, std::weak_ptr<Listening> line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back({io, std::move(line)});
}

void Hub::sync(asio::io_context& io, Synced done) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({io, std::move(done)});
    }
    wake();
}

void Hub::wake() {
    const std::lock_guard lock(mutex_);
    if (!io_) return;
    asio::post(*io_, [this] {
        rung_ = true;
        if (timer_) timer_->cancel();
    });
}

Hub::Ticket Hub::enter(const std::string& key, std::size_t most) {
    const std::lock_guard lock(mutex_);
    std::size_t& count = counts_[key];
    if (most > 0 && count >= most) return nullptr;
    ++count;
    ++streams_;
    return {this, [key](void* hub) {
                auto* self = static_cast<Hub*>(hub);
                const std::lock_guard guard(self->mutex_);
                if (--self->counts_[key] == 0) self->counts_.erase(key);
                --self->streams_;
            }};
}

bool Hub::wanted() const {
    const std::lock_guard lock(mutex_);
    return streams_ > 0 || !waiting_.empty();
}

Task<> Hub::pause(std::chrono::milliseconds most) {
    if (rung_) most = kLeast;
    timer_->expires_after(most);
    boost::system::error_code cancelled;
    co_await timer_->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

Task<> Hub::run(db::Pool& system, const Judge& judge) {
    asio::steady_timer timer(*io_);
    timer_ = &timer;
    for (;;) {
        if (!wanted()) {
            newest_ = nullptr;
            co_await pause(24h);
            rung_ = false;
            continue;
        }
        std::vector<Waiting> waiting;
        {
            const std::lock_guard lock(mutex_);
            waiting.swap(waiting_);
        }
        rung_ = false;
        bool done = co_await begin(system);
        if (done) done = co_await read(system, judge);
        finish(std::move(waiting), done ? newest_ : nullptr);
        co_await pause(done ? kPause : kBackOff);
    }
}

Task<bool> Hub::begin(db::Pool& system) {
    if (newest_) co_return true;
    std::string cursor = co_await read_cursor(system);
    if (cursor.empty()) co_return false;
    newest_ = place_at(std::move(cursor));
    co_return true;
}

// All that is there. What could not be judged is read again the next time.
Task<bool> Hub::read(db::Pool& system, const Judge& judge) {
    const ReadersOf readers = [this](const Entity& entity) { return audience_.of(entity); };
    for (;;) {
        const Page page = co_await read_page(system, *newest_, kPage);
        if (page.fault == Page::failed) co_return false;
        if (page.fault == Page::too_old) {
            newest_ = nullptr;
            const bool begun = co_await begin(system);
            if (begun) tell_lost();
            co_return begun;
        }
        if (page.next == *newest_) co_return true;
        Events events;
        const bool judged = co_await judge.run(page, newest_, readers, events);
        if (!judged) co_return false;
        newest_ = place_at(page.next);
        tell(std::move(events));
        if (page.whole()) co_return true;
    }
}

void Hub::tell(Events events) {
    const auto told = std::make_shared<const Events>(std::move(events));
    const std::lock_guard lock(mutex_);
    for (const Line& each : lines_)
        asio::post(each.io, [line = each.line, told, newest = newest_] {
            if (const auto held = line.lock()) held->take(*told, newest);
        });
}

void Hub::tell_lost() {
    log::write(log::Level::warning, "feed_behind");
    const std::lock_guard lock(mutex_);
    for (const Line& each : lines_)
        asio::post(each.io, [line = each.line, newest = newest_] {
            if (const auto held = line.lock()) held->lost(newest);
        });
}

void Hub::finish(std::vector<Waiting> waiting, const Place& newest) {
    for (Waiting& each : waiting)
        asio::post(each.io, [done = std::move(each.done), newest] { done(newest); });
}

}  // namespace svc::feed
