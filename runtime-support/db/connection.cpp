#include "db/connection.hpp"

#include <fcntl.h>

#include <utility>

#include "db/pg_types.hpp"

namespace svc::db {

Connection::Connection(asio::io_context& io, PGconn* conn, Owner& owner)
    : descriptor_(io, fcntl(PQsocket(conn), F_DUPFD_CLOEXEC, 0)), conn_(conn), owner_(&owner) {}

bool Connection::stalled() const {
    constexpr std::chrono::milliseconds kLong{20};
    return !flights_.empty() && std::chrono::steady_clock::now() - flights_.front()->sent > kLong;
}

// If libpq cannot write, it reads, also while a command is sent. So an answer may already be in
// libpq's buffer, and the descriptor no longer signals it.
void Connection::go_on() {
    if (conn_ && proceed(true)) report();
}

// ---- waiting ----

void Connection::wait_readable() {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                           [self = shared_from_this()](boost::system::error_code error) {
                               if (!error && self->conn_) self->on_readable();
                           });
}

void Connection::wait_writable() {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_write,
                           [self = shared_from_this()](boost::system::error_code error) {
                               if (error || !self->conn_) return;
                               self->blocked_ = false;
                               self->go_on();
                           });
}

// ---- reading ----

void Connection::on_readable() {
    const bool alive = PQconsumeInput(conn_) == 1;
    if (!proceed(alive)) return;
    wait_readable();
    report();
}

// Takes what has come, and sends what can go; false: the connection is closed.
bool Connection::proceed(bool alive) {
    read_results();  // what came before the end of a lost connection still counts
    const bool released = held_ && steps_.empty() && !poisoned_;
    if (released) close_held();
    if (!held_) deallocate_retired();
    flush();
    const PGTransactionStatusType state = PQtransactionStatus(conn_);
    if (!alive || poisoned_ || PQstatus(conn_) == CONNECTION_BAD || state == PQTRANS_INTRANS ||
        state == PQTRANS_INERROR) {
        close();
        return false;
    }
    return true;
}

void Connection::report() {
    auto keep = shared_from_this();
    resume_done();
    if (owner_ && ready()) owner_->writable();
}

// ---- cancelling ----

void Connection::cancel(asio::thread_pool& threads) {
    if (cancelling_ || conn_ == nullptr) return;
    // Made on this thread, because only it may read libpq's data of the connection.
    std::shared_ptr<PGcancel> request(PQgetCancel(conn_), PQfreeCancel);
    if (!request) return;
    cancelling_ = true;
    asio::post(threads, [self = shared_from_this(), request,
                         executor = descriptor_.get_executor()]() mutable {
        char words[256];
        PQcancel(request.get(), words, sizeof words);
        asio::post(executor, [self = std::move(self)] { self->cancelled(); });
    });
}

void Connection::cancelled() {
    cancelling_ = false;
    if (owner_ && ready()) owner_->writable();
}

// ---- ending ----

// A resumed coroutine may send on this connection, or end the pool: state is complete before it
// runs.
void Connection::resume_done() {
    auto keep = shared_from_this();
    for (RequestPtr& request : std::exchange(stale_, {})) {
        if (owner_) owner_->again(std::move(request));
    }
    for (RequestPtr& request : std::exchange(done_, {})) {
        if (!owner_) return;
        owner_->finished();
        request->resume(std::move(request->outcome));
    }
}

void Connection::close() {
    if (conn_ == nullptr) return;
    auto keep = shared_from_this();
    drop();
    std::size_t left = flights_.size();
    for (RequestPtr& request : std::exchange(flights_, {})) {
        // Reads of the open batch were not sent yet.
        if (left-- <= read_batch_.exchanges && !request->delivered) {
            request->outcome = {};
            stale_.push_back(std::move(request));
            continue;
        }
        request->outcome = connection_lost();
        done_.push_back(std::move(request));
    }
    steps_.clear();
    read_batch_ = {};
    load_ = 0;
    if (owner_) owner_->closed(*this);
    resume_done();
}

void Connection::abandon() {
    owner_ = nullptr;
    drop();
    flights_.clear();
    done_.clear();
    stale_.clear();
}

void Connection::drop() {
    if (conn_ == nullptr) return;
    boost::system::error_code ignored;
    descriptor_.close(ignored);
    PQfinish(std::exchange(conn_, nullptr));
}

}  // namespace svc::db
