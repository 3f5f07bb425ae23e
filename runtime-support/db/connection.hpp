// One open connection in pipeline mode, and the exchanges in flight on it.
#pragma once

#include <libpq-fe.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "db/request.hpp"
#include "db/statement_cache.hpp"

namespace svc::db {

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    class Owner {
      public:
        // The connection can take requests again.
        virtual void writable() = 0;
        // Closed; never to be used again. Its exchanges are answered after this returns.
        virtual void closed(Connection& connection) = 0;
        // The exchange had no effect and must be sent again, on any connection.
        virtual void again(RequestPtr request) = 0;
        // The exchange has ended and is about to be resumed.
        virtual void finished() = 0;

      protected:
        ~Owner() = default;
    };

    // Takes `conn`, which is in pipeline mode and idle.
    Connection(asio::io_context& io, PGconn* conn, Owner& owner);
    ~Connection() { drop(); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start() { wait_readable(); }
    // Only while ready(). The exchange's answer comes later, never from within send().
    void send(RequestPtr request);
    bool ready() const {
        return conn_ != nullptr && !blocked_ && !poisoned_ && !held_ && !cancelling_;
    }
    // The weight of what is in flight.
    std::size_t load() const { return load_; }
    // An exchange in flight may use at most half of its lane's connections.
    bool shares() const { return !flights_.empty() && flights_.front()->share == Share::half; }
    // The party of the exchange in flight. If parties matter, a connection has one exchange at a
    // time.
    Party party() const { return flights_.empty() ? Party{} : flights_.front()->party; }
    std::uint64_t ticket() const { return flights_.empty() ? 0 : flights_.front()->ticket; }
    // Asks PostgreSQL to cancel the one exchange in flight, whose answer arrives as usual. The
    // connection takes no other exchange until the request has arrived, so the request cannot
    // cancel another exchange.
    void cancel(asio::thread_pool& threads);
    // True if the exchanges in flight take long: they may wait for a lock, and new commands would
    // wait behind them.
    bool stalled() const;
    // True if nothing has been in flight since then.
    bool idle_since(std::chrono::steady_clock::time_point then) const {
        return ready() && flights_.empty() && used_ < then;
    }
    // Closes an idle one.
    void retire() { close(); }
    // The owner is destroyed: nothing is reported any more, and handlers are dropped.
    void abandon();

  private:
    // The kinds of commands that the next results belong to, in the order in which they were sent.
    enum class Kind : std::uint8_t {
        prepare,
        deallocate,
        execute,
        sync,      // ends the exchange at the front of flights_, or the batch of reads there
        own_sync,  // ends a prepare or a deallocate
    };
    struct Step {
        Kind kind;
        const Command* command = nullptr;
        PreparedPtr prepared = {};
        Request* request = nullptr;  // of an execute
        std::size_t exchanges = 0;   // that a sync ends
    };
    // Reads that were sent since the last Sync: one implicit transaction.
    struct ReadBatch {
        std::size_t exchanges = 0;
        std::size_t weight = 0;
        const Command* opening = nullptr;  // the last that was sent: what the reads after it go by
    };

    bool send_commands(Request& request);
    void send_read(RequestPtr request);
    bool opened_by(const Request& request) const;
    void end_read_batch_soon();
    bool end_read_batch();
    void give_back(RequestPtr request);
    void close_soon();
    void fly(RequestPtr request);
    bool send_prepare(const Statement& statement, const PreparedPtr& prepared);
    bool send_deallocate(const std::string& name);
    bool send_execute(const Command& command, PreparedPtr prepared, Request& request);
    bool prepare(const Statement& statement, PreparedPtr& prepared);
    bool send_end(const Request& request);
    void close_held();
    void deallocate_retired();
    bool send_sync(Kind kind, std::size_t exchanges = 0);
    void flush();

    void wait_readable();
    void wait_writable();
    void on_readable();
    void go_on();
    bool proceed(bool alive);
    void report();
    void read_results();
    void pass();
    void take(PGresult* result);
    void take_sync();
    void take_execute(const Step& step, PGresult* result);
    void take_commit(const Step& step, PGresult* result);
    void take_rows(const Step& step, PGresult* result);
    void take_failure(const Step& step, Request& request, PGresult* result);
    void finish_flight();
    void break_off();

    void cancelled();
    void resume_done();
    void close();
    void drop();

    // A duplicate of libpq's socket: libpq may close its own at any time, and another socket may
    // get that number before epoll knows.
    asio::posix::stream_descriptor descriptor_;
    PGconn* conn_;  // null once closed
    Owner* owner_;  // null once abandoned
    StatementCache statements_;
    std::deque<Step> steps_;
    std::deque<RequestPtr> flights_;
    std::size_t load_ = 0;
    std::chrono::steady_clock::time_point used_ = std::chrono::steady_clock::now();
    ReadBatch read_batch_;           // open while it has exchanges
    bool ending_ = false;            // its Sync is sent after this round of the reader
    std::vector<RequestPtr> done_;   // answered, resumed after the reader's round
    std::vector<RequestPtr> stale_;  // to be sent again
    // Stale names to deallocate after the reader's round: libpq swallows the null that ends a
    // command when something is sent before it was fetched.
    std::vector<std::string> retired_;
    std::size_t taken_ =
        0;                 // rows of the command at the front of steps_, where they come one by one
    std::string scratch_;  // parameters, each with its NUL
    std::vector<const char*> values_;
    bool held_ = false;    // the last exchange has commands to come: nothing may be sent between
    PreparedPtr closing_;  // its last statement
    bool cancelling_ = false;  // a request to cancel is on its way
    bool blocked_ = false;     // libpq holds bytes that the socket did not take
    bool poisoned_ = false;    // a transaction was left open: no further exchange may see it
};

}  // namespace svc::db
