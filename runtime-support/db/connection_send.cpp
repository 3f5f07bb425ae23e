// Sends statements to prepare, commands, and the Sync that ends an exchange.
#include <algorithm>
#include <utility>

#include "db/connection.hpp"
#include "db/pg_types.hpp"

namespace svc::db {

namespace {

// Reads that share a Sync, and their weight. All of them are answered when the last has run.
constexpr std::size_t kMostReads = 16;
constexpr std::size_t kMostWeight = 24;

bool same(const Command& a, const Command& b) {
    return a.statement.name == b.statement.name && a.statement.sql == b.statement.sql &&
           std::ranges::equal(a.params, b.params);
}

}  // namespace

void Connection::send(RequestPtr request) {
    if (request->reads && !request->alone) return send_read(std::move(request));
    if (!end_read_batch() || !send_commands(*request) || !send_end(*request))
        return give_back(std::move(request));
    fly(std::move(request));
    flush();
}

// Reads that come in one round of the reader, from any callers, share a Sync. That saves PostgreSQL
// a transaction and both sides a system call for each. An error stops all that follow up to the
// Sync, so no read can run under the identity of another.
void Connection::send_read(RequestPtr request) {
    if (!send_commands(*request)) return give_back(std::move(request));
    ++read_batch_.exchanges;
    read_batch_.weight += request->weight;
    fly(std::move(request));
    if (read_batch_.exchanges < kMostReads && read_batch_.weight < kMostWeight)
        return end_read_batch_soon();
    if (!end_read_batch()) close_soon();
    flush();
}

void Connection::fly(RequestPtr request) {
    load_ += request->weight;
    used_ = request->sent = std::chrono::steady_clock::now();
    flights_.push_back(std::move(request));
}

// The Sync is sent after everything that this round has brought, so each of its reads is in the
// batch.
void Connection::end_read_batch_soon() {
    if (std::exchange(ending_, true)) return;
    asio::post(descriptor_.get_executor(), [self = shared_from_this()] {
        self->ending_ = false;
        if (!self->conn_) return;
        if (!self->end_read_batch()) self->close_soon();
        self->flush();
    });
}

bool Connection::end_read_batch() {
    return read_batch_.exchanges == 0 || send_sync(Kind::sync, read_batch_.exchanges);
}

// The last opening of the open batch is the one that this exchange would send.
bool Connection::opened_by(const Request& request) const {
    return request.reads && read_batch_.opening != nullptr &&
           same(*read_batch_.opening, request.commands.front());
}

void Connection::give_back(RequestPtr request) {
    // Without its Sync it has no effect, so another connection may run it, unless libpq refused it
    // on a healthy connection: then another would refuse it too.
    if (PQstatus(conn_) == CONNECTION_BAD) {
        stale_.push_back(std::move(request));
    } else {
        request->outcome = connection_lost();
        request->outcome.make_error().detail = PQerrorMessage(conn_);
        done_.push_back(std::move(request));
    }
    close_soon();
}

// No later result would say so: a Sync that was not sent gets no answer.
void Connection::close_soon() {
    poisoned_ = true;
    asio::post(descriptor_.get_executor(), [self = shared_from_this()] { self->close(); });
}

bool Connection::send_commands(Request& request) {
    // All prepares come first: each has a Sync of its own, which ends an open batch as well.
    const std::span<const Command> commands = request.commands;
    std::vector<PreparedPtr> prepared(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!prepare(commands[i].statement, prepared[i])) return false;
    }
    if (request.final_command && !prepare(request.final_command->statement(), closing_))
        return false;
    for (std::size_t i = opened_by(request) ? 1 : 0; i < commands.size(); ++i) {
        if (!send_execute(commands[i], std::move(prepared[i]), request)) return false;
        if (i == 0 && request.reads) read_batch_.opening = commands.data();
    }
    return true;
}

bool Connection::prepare(const Statement& statement, PreparedPtr& prepared) {
    StatementCache::Use use = statements_.use(statement);
    if ((use.fresh || !use.evicted.empty()) && !end_read_batch()) return false;
    if (!use.evicted.empty() && !send_deallocate(use.evicted)) return false;
    if (use.fresh && !send_prepare(statement, use.prepared)) return false;
    prepared = std::move(use.prepared);
    return true;
}

// A Sync, or where more is to come a request for what there is so far: the transaction stays open.
bool Connection::send_end(const Request& request) {
    if (request.final_command == nullptr) return send_sync(Kind::sync, 1);
    held_ = true;
    return PQsendFlushRequest(conn_) == 1;
}

// All of a held exchange has been answered but its end.
void Connection::close_held() {
    held_ = false;
    Request& request = *flights_.front();
    bool sent = true;
    if (!request.outcome.sql_error) {
        request.last = {request.final_command->statement(),
                        request.final_command->params(request.outcome.rows)};
        sent = send_execute(request.last, std::move(closing_), request);
    }
    poisoned_ = poisoned_ || !sent || !send_sync(Kind::sync, 1);
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

bool Connection::send_execute(const Command& command, PreparedPtr prepared, Request& request) {
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
    steps_.push_back({Kind::execute, &command, std::move(prepared), &request});
    return true;
}

bool Connection::send_sync(Kind kind, std::size_t exchanges) {
    if (!PQpipelineSync(conn_)) return false;
    read_batch_ = {};
    steps_.push_back({.kind = kind, .exchanges = exchanges});
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

// Nothing is sent during a held exchange, because a Sync would end its transaction.
void Connection::deallocate_retired() {
    if (!retired_.empty()) poisoned_ = poisoned_ || !end_read_batch();
    for (const std::string& name : std::exchange(retired_, {})) {
        poisoned_ = poisoned_ || !send_deallocate(name);
    }
}

}  // namespace svc::db
