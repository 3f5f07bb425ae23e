#include "feed/hub/hub.hpp"

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
constexpr auto kRest = 50ms;  // after one that asked the database who may read what changed
constexpr auto kBackOff = 250ms;

}  // namespace

void Hub::start(asio::io_context& io, db::Pool& system, const Judge& judge, std::string epoch,
                std::function<void()> replaced) {
    {
        const std::lock_guard lock(mutex_);
        io_ = &io;
    }
    epoch_ = std::move(epoch);
    replaced_ = std::move(replaced);
    asio::co_spawn(io, run(system, judge), asio::detached);
}

void Hub::attach(asio::io_context& io, std::weak_ptr<EventSink> sink) {
    const std::lock_guard lock(mutex_);
    sinks_.push_back({io, std::move(sink)});
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
        notified_ = true;
        if (timer_) timer_->cancel();
    });
}

void Hub::notify() {
    if (streams_ > 0) wake();
}

void Hub::enter() {
    ++streams_;
    ++turn_;
}

void Hub::leave() {
    --streams_;
    ++turn_;
}

bool Hub::wanted() const {
    const std::lock_guard lock(mutex_);
    return streams_ > 0 || !waiting_.empty();
}

Task<> Hub::pause(std::chrono::milliseconds most) {
    if (notified_) most = kLeast;
    timer_->expires_after(most);
    boost::system::error_code cancelled;
    co_await timer_->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

// A signal does not end it: what comes meanwhile is asked about with the next page. Whoever waits
// does.
Task<> Hub::rest() {
    const auto end = std::chrono::steady_clock::now() + kRest;
    const auto somebody_waits = [this] {
        const std::lock_guard lock(mutex_);
        return !waiting_.empty();
    };
    while (std::chrono::steady_clock::now() < end && !somebody_waits()) {
        timer_->expires_at(end);
        boost::system::error_code cancelled;
        co_await timer_->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

Task<> Hub::run(db::Pool& system, const Judge& judge) {
    asio::steady_timer timer(*io_);
    timer_ = &timer;
    for (;;) {
        if (!wanted()) {
            newest_ = nullptr;
            lost_ = false;
            in_doubt_ = true;
            reader_sets_ = nullptr;
            reader_sets_of_ = 0;
            read_at_ = 0;
            co_await pause(24h);
            notified_ = false;
            continue;
        }
        std::vector<SyncRequest> waiting;
        {
            const std::lock_guard lock(mutex_);
            waiting.swap(waiting_);
        }
        notified_ = false;
        const auto began = std::chrono::steady_clock::now().time_since_epoch();
        const std::uint64_t questions = counts_.questions;
        look_at_audience(judge);
        bool done = co_await is_same(system);
        if (done) done = co_await begin(system);
        if (done) done = co_await read(system, judge);
        in_doubt_ = !done;  // a database that goes away may come back as another
        if (done) read_at_ = std::chrono::nanoseconds(began).count();
        finish(std::move(waiting), done ? newest_ : nullptr);
        const bool asked = counts_.questions != questions;
        if (asked) co_await rest();
        co_await pause(!done ? kBackOff : asked ? kLeast : kPause);
    }
}

// A reader that comes after this poll waits for a reading that begins after it. One that goes is
// held until the next poll.
void Hub::look_at_audience(const Judge& judge) {
    const std::uint64_t turn = turn_;
    if (turn == reader_sets_of_) return;
    reader_sets_of_ = turn;
    const ReadersOf readers = [this](const Entity& entity) { return audience_.of(entity); };
    reader_sets_ =
        std::make_unique<const ReaderSets>(judge.reader_sets(readers, reader_sets_.get()));
}

Task<bool> Hub::is_same(db::Pool& system) {
    if (!in_doubt_) co_return true;
    std::string found;
    try {
        found = co_await read_epoch(system);
    } catch (const std::exception&) {
        co_return false;
    }
    if (found == epoch_) co_return true;
    log::write(log::Level::error, "database_replaced");
    if (const auto replaced = std::exchange(replaced_, {})) replaced();
    co_return false;
}

Task<bool> Hub::begin(db::Pool& system) {
    if (newest_) co_return true;
    std::string cursor = co_await read_cursor(system);
    if (cursor.empty()) co_return false;
    newest_ = make_cursor(std::move(cursor));
    if (std::exchange(lost_, false)) send_lost();
    co_return true;
}

// Reads all new records. Records that could not be judged are read again the next time.
Task<bool> Hub::read(db::Pool& system, const Judge& judge) {
    for (;;) {
        Counts::add(counts_.readings);
        const PageAsked asked{.tables = reader_sets_->tables()};
        const Page page = co_await read_page(system, *newest_, asked);
        if (page.fault == Page::failed) co_return false;
        if (page.fault == Page::too_old) {
            newest_ = nullptr;
            lost_ = true;
            const bool begun = co_await begin(system);
            co_return begun;
        }
        if (page.next == *newest_) co_return true;
        Events events;
        const bool judged = co_await judge.run(page, newest_, *reader_sets_, events);
        if (!judged) co_return false;
        newest_ = make_cursor(page.next);
        send(std::move(events));
        if (page.whole()) co_return true;
    }
}

void Hub::send(Events events) {
    const auto sent = std::make_shared<const Events>(std::move(events));
    const std::lock_guard lock(mutex_);
    for (const Sink& each : sinks_)
        asio::post(each.io, [sink = each.sink, sent, newest = newest_] {
            if (const auto held = sink.lock()) held->take(*sent, newest);
        });
}

void Hub::send_lost() {
    log::write(log::Level::warning, "feed_behind");
    const std::lock_guard lock(mutex_);
    for (const Sink& each : sinks_)
        asio::post(each.io, [sink = each.sink, newest = newest_] {
            if (const auto held = sink.lock()) held->lost(newest);
        });
}

void Hub::finish(std::vector<SyncRequest> waiting, const Cursor& newest) {
    for (SyncRequest& each : waiting)
        asio::post(each.io, [done = std::move(each.done), newest] { done(newest); });
}

}  // namespace svc::feed
