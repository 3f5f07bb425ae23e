// Reads changes and messages for subscribers of a process: one reader, however many there are. It
// asks every 20 ms while anybody listens, at once after this process has committed something, and
// not at all otherwise.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "feed/counts.hpp"
#include "feed/judge/judge.hpp"
#include "http/task.hpp"

namespace svc::feed {

// One io thread's subscribers, as the hub sees them. All calls come on that thread, in order.
class EventSink {
  public:
    virtual ~EventSink() = default;
    // `newest`: the cursor after these events, and after all changes that no reader here sees.
    virtual void take(const Events& events, const Cursor& newest) = 0;
    // Changes were missed, because they are no longer stored. The next events come after `newest`.
    virtual void lost(const Cursor& newest) = 0;
};

class Hub {
  public:
    // `newest` is null if the database did not answer.
    using Synced = std::function<void(Cursor newest)>;

    // `counts` outlives it.
    explicit Hub(Counts& counts) : counts_(counts) {}

    Audience& audience() { return audience_; }

    // Reads with these pools, on this thread, from now on. They outlive it, or end with `io`.
    // `epoch`: of the database as it was opened. If another database has taken its place, as after
    // a restore, the hub stops reading and calls `replaced` once.
    void start(asio::io_context& io, db::Pool& system, const Judge& judge, std::string epoch,
               std::function<void()> replaced);
    // Sends new events to `sink` until it is gone. From any thread.
    void attach(asio::io_context& io, std::weak_ptr<EventSink> sink);
    // Reads once more, beginning after this call, and then calls `done` on the thread of `io`,
    // after everything that was read until then. From any thread.
    void sync(asio::io_context& io, Synced done);

    // Says that this process has committed something. From any thread.
    void notify();

    // A stream has started, and its readers have entered the audience; a stream has ended.
    void enter();
    void leave();
    // The start of the last completed reading, on the steady clock in nanoseconds. 0: nobody
    // listens. Thread-safe.
    std::int64_t read_at() const { return read_at_; }

  private:
    struct SyncRequest {
        asio::io_context& io;
        Synced done;
    };
    struct Sink {
        asio::io_context& io;
        std::weak_ptr<EventSink> sink;
    };

    Task<> run(db::Pool& system, const Judge& judge);
    // False: the database did not answer.
    Task<bool> begin(db::Pool& system);
    // False also if the database did not answer.
    Task<bool> is_same(db::Pool& system);
    void look_at_audience(const Judge& judge);
    // Returns false if the rest must be read again, because the database did not answer.
    Task<bool> read(db::Pool& system, const Judge& judge);
    Task<> pause(std::chrono::milliseconds most);
    Task<> rest();
    void wake();
    bool wanted() const;
    void send(Events events);
    void send_lost();
    void finish(std::vector<SyncRequest> waiting, const Cursor& newest);

    Audience audience_;
    Counts& counts_;
    std::atomic<std::int64_t> read_at_{0};
    asio::io_context* io_ = nullptr;
    asio::steady_timer* timer_ = nullptr;  // of run()
    bool notified_ = false;                // since the last reading began; on the thread of io_
    Cursor newest_;                        // null: nobody listened
    bool lost_ = false;                    // changes were missed, and no sink knows it yet
    std::unique_ptr<const ReaderSets> reader_sets_;  // as streams last came or went
    std::uint64_t reader_sets_of_ = 0;               // what turn_ was then
    std::string epoch_;
    bool in_doubt_ = true;  // whether the database is still the one of epoch_
    std::function<void()> replaced_;

    mutable std::mutex mutex_;
    std::vector<Sink> sinks_;
    std::vector<SyncRequest> waiting_;
    std::atomic<std::size_t> streams_{0};
    std::atomic<std::uint64_t> turn_{1};  // counts streams that come, and that go
};

}  // namespace svc::feed
