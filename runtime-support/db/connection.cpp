#include "db/connection.hpp"

#include <fcntl.h>

#include <charconv>
#include <cstring>
#include <utility>

#include "db/pg_types.hpp"

namespace svc::db {

namespace {

struct FreeResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, FreeResult>;

// A transaction block opened by a statement would carry the caller's identity past its Sync.
bool opens_transaction(const PGresult* result) {
    const char* tag = PQcmdStatus(const_cast<PGresult*>(result));
    return std::strcmp(tag, "BEGIN") == 0 || std::strcmp(tag, "START TRANSACTION") == 0;
}

void describe(const PGresult* result, RowSink& sink) {
    std::vector<ResultColumn> columns;
    columns.reserve(static_cast<std::size_t>(PQnfields(result)));
    for (int i = 0; i < PQnfields(result); ++i) {
        columns.push_back({PQfname(result, i), PQftype(result, i)});
    }
    sink.columns(columns);
}

std::size_t index_of(const Request& request, const Command* command) {
    if (command == nullptr) return Outcome::kNone;
    if (command == &request.last) return request.commands.size();
    return static_cast<std::size_t>(command - request.commands.data());
}

std::size_t affected(PGresult* result) {
    const char* text = PQcmdTuples(result);
    std::size_t count = 0;
    std::from_chars(text, text + std::strlen(text), count);
    return count;
}

}  // namespace

Connection::Connection(asio::io_context& io, PGconn* conn, Owner& owner)
    : descriptor_(io, fcntl(PQsocket(conn), F_DUPFD_CLOEXEC, 0)), conn_(conn), owner_(&owner) {}

bool Connection::stalled() const {
    constexpr std::chrono::milliseconds kLong{20};
    return !flights_.empty() && std::chrono::steady_clock::now() - flights_.front()->sent > kLong;
}

// ---- sending ----

void Connection::send(RequestPtr request) {
    const bool sent = send_commands(*request) && send_end(*request);
    if (sent) {
        load_ += request->weight;
        request->sent = std::chrono::steady_clock::now();
        flights_.push_back(std::move(request));
        return flush();
    }
    // Without its Sync nothing of it takes effect, so another connection may take it; unless libpq
    // refused it on a healthy one, which another would do again.
    if (PQstatus(conn_) == CONNECTION_BAD) {
        stale_.push_back(std::move(request));
    } else {
        request->outcome = connection_lost();
        request->outcome.complain().detail = PQerrorMessage(conn_);
        done_.push_back(std::move(request));
    }
    poisoned_ = true;
    asio::post(descriptor_.get_executor(), [self = shared_from_this()] { self->close(); });
}

bool Connection::send_commands(const Request& request) {
    // All prepares come first: each has a Sync of its own, and an exchange has one only.
    const std::span<const Command> commands = request.commands;
    std::vector<PreparedPtr> prepared(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!prepare(commands[i].statement, prepared[i])) return false;
    }
    if (request.closing && !prepare(request.closing->statement(), closing_)) return false;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!send_execute(commands[i], std::move(prepared[i]))) return false;
    }
    return true;
}

bool Connection::prepare(const Statement& statement, PreparedPtr& prepared) {
    StatementBook::Use use = book_.use(statement);
    if (!use.evicted.empty() && !send_deallocate(use.evicted)) return false;
    if (use.fresh && !send_prepare(statement, use.prepared)) return false;
    prepared = std::move(use.prepared);
    return true;
}

// A Sync, or where more is to come a request for what there is so far: the transaction stays open.
bool Connection::send_end(const Request& request) {
    if (request.closing == nullptr) return send_sync(Kind::sync);
    held_ = true;
    return PQsendFlushRequest(conn_) == 1;
}

// All of a held exchange has been answered but its end.
void Connection::close_held() {
    held_ = false;
    Request& request = *flights_.front();
    bool sent = true;
    if (request.outcome.why().message.empty()) {
        request.last = {request.closing->statement(),
                        request.closing->params(request.outcome.rows)};
        sent = send_execute(request.last, std::move(closing_));
    }
    poisoned_ = poisoned_ || !sent || !send_sync(Kind::sync);
}

bool Connection::send_prepare(const Statement& statement, const PreparedPtr& prepared) {
    std::vector<Oid> types;
    for (Type type : statement.types) types.push_back(oid(type));
    const std::string sql(statement.sql);
    if (!PQsendPrepare(conn_, prepared->name.c_str(), sql.c_str(), static_cast<int>(types.size()),
                       types.data())) {
        return false;
    }
    steps_.push_back({Kind::prepare, nullptr, prepared});
    return send_sync(Kind::own_sync);
}

bool Connection::send_deallocate(const std::string& name) {
    const std::string sql = "deallocate \"" + name + '"';
    if (!PQsendQueryParams(conn_, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0)) {
        return false;
    }
    steps_.push_back({Kind::deallocate});
    return send_sync(Kind::own_sync);
}

bool Connection::send_execute(const Command& command, PreparedPtr prepared) {
    scratch_.clear();
    values_.clear();
    std::size_t bytes = 0;
    for (const Param& param : command.params) bytes += param ? param->size() + 1 : 0;
    scratch_.reserve(bytes);  // never moves below: values_ points into it
    for (const Param& param : command.params) {
        if (!param) {
            values_.push_back(nullptr);
            continue;
        }
        values_.push_back(scratch_.data() + scratch_.size());
        scratch_.append(*param).push_back('\0');
    }
    if (!PQsendQueryPrepared(conn_, prepared->name.c_str(), static_cast<int>(values_.size()),
                             values_.data(), nullptr, nullptr, 0)) {
        return false;
    }
    steps_.push_back({Kind::execute, &command, std::move(prepared)});
    return true;
}

bool Connection::send_sync(Kind kind) {
    if (!PQpipelineSync(conn_)) return false;
    steps_.push_back({kind});
    return true;
}

void Connection::flush() {
    if (blocked_) return;
    // 1: the socket is full. -1: lost, which the reader will notice and report.
    if (PQflush(conn_) == 1) {
        blocked_ = true;
        wait_writable();
    } else if (!steps_.empty() && !PQisBusy(conn_)) {
        asio::post(descriptor_.get_executor(), [self = shared_from_this()] { self->go_on(); });
    }
}

// Where libpq cannot write it reads, also while a command is sent: of an answer that it has by now
// the descriptor tells nobody any more.
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

// Not into a held exchange: the Sync of each would end its transaction.
void Connection::deallocate_retired() {
    for (const std::string& name : std::exchange(retired_, {})) {
        poisoned_ = poisoned_ || !send_deallocate(name);
    }
}

// PQgetResult ends a command with null, but not a Sync; asked without anything in flight, or while
// busy, it would block.
void Connection::read_results() {
    while (!steps_.empty() && !poisoned_ && !PQisBusy(conn_)) {
        const Result result(PQgetResult(conn_));
        if (result) {
            take(result.get());
        } else if (steps_.front().kind == Kind::sync || steps_.front().kind == Kind::own_sync) {
            // The null after an error that the commit at this Sync raised. A lost connection gives
            // nulls for ever.
            if (PQstatus(conn_) == CONNECTION_BAD) return;
        } else {
            pass();
        }
    }
}

// libpq takes the wish for single rows when the command before has ended, and no later.
void Connection::pass() {
    steps_.pop_front();
    taken_ = 0;
    if (steps_.empty() || steps_.front().kind != Kind::execute) return;
    if (steps_.front().command->row_by_row) PQsetSingleRowMode(conn_);
}

void Connection::take(PGresult* result) {
    const Step& step = steps_.front();
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) return take_sync();
    switch (step.kind) {
        case Kind::prepare:
            if (status == PGRES_FATAL_ERROR) {
                step.prepared->error = std::make_unique<Outcome>(failure(result));
                book_.forget(step.prepared);
            }
            return;
        case Kind::execute:
        case Kind::sync:
            return take_execute(step, result);
        case Kind::deallocate:
        case Kind::own_sync:
            return;
    }
}

void Connection::take_sync() {
    const Kind kind = steps_.front().kind;
    pass();
    if (kind == Kind::sync) return finish_flight();
    // Answers that are out of step with the questions must not reach anyone.
    if (kind != Kind::own_sync) poisoned_ = true;
}

void Connection::take_execute(const Step& step, PGresult* result) {
    Request& request = *flights_.front();
    switch (PQresultStatus(result)) {
        case PGRES_TUPLES_OK:
        case PGRES_SINGLE_TUPLE:
            return take_rows(step, result);
        case PGRES_COMMAND_OK:
            request.outcome.rows = affected(result);
            poisoned_ = poisoned_ || opens_transaction(result);
            return;
        case PGRES_PIPELINE_ABORTED:
            return;
        default:
            return take_failure(step, result);
    }
}

// Single rows end with a result that has none.
void Connection::take_rows(const Step& step, PGresult* result) {
    Request& request = *flights_.front();
    const int rows = PQntuples(result);
    const bool begins = taken_ == 0;
    taken_ += static_cast<std::size_t>(rows);
    request.outcome.rows = taken_;
    RowSink* sink = step.command->sink;
    if (sink == nullptr) return;
    if (begins && sink->describes()) describe(result, *sink);
    if (rows == 0) return;
    request.delivered = true;
    for (int i = 0; i < rows; ++i) sink->row(Row(result, i));
}

void Connection::take_failure(const Step& step, PGresult* result) {
    Request& request = *flights_.front();
    Outcome outcome = failure(result);
    if (step.prepared && stale_plan(result, outcome)) {
        if (step.prepared->error) {  // it was never prepared: that is the answer
            outcome.complain() = step.prepared->error->why();
        } else {
            const bool gone = outcome.why().sqlstate == "26000";
            // A plan that is being replaced fails every exchange in flight that uses it.
            if (book_.forget(step.prepared) && !gone) retired_.push_back(step.prepared->name);
            if (!request.repeated && !request.delivered) {
                request.repeated = true;
                outcome.complain().sqlstate = "";  // finish_flight sends it again
            }
        }
    }
    if (!request.outcome.why().message.empty()) return;
    request.outcome = std::move(outcome);
    request.outcome.failed = index_of(request, step.command);
}

void Connection::finish_flight() {
    RequestPtr request = std::move(flights_.front());
    flights_.pop_front();
    load_ -= request->weight;
    Outcome& outcome = request->outcome;
    if (!outcome.why().message.empty() && outcome.why().sqlstate.empty()) {
        outcome = {};
        stale_.push_back(std::move(request));
        return;
    }
    outcome.ok = outcome.why().sqlstate.empty();
    done_.push_back(std::move(request));
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
    for (RequestPtr& request : std::exchange(flights_, {})) {
        request->outcome = connection_lost();
        done_.push_back(std::move(request));
    }
    steps_.clear();
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
