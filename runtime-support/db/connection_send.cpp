// Sends statements to prepare, commands, and the Sync that ends an exchange.
#include <utility>

#include "db/connection.hpp"
#include "db/pg_types.hpp"

namespace svc::db {

void Connection::send(RequestPtr request) {
    const bool sent = send_commands(*request) && send_end(*request);
    if (sent) {
        load_ += request->weight;
        request->sent = std::chrono::steady_clock::now();
        flights_.push_back(std::move(request));
        return flush();
    }
    // Without its Sync it has no effect, so another connection may run it, unless libpq refused it
    // on a healthy connection: then another would refuse it too.
    if (PQstatus(conn_) == CONNECTION_BAD) {
        stale_.push_back(std::move(request));
    } else {
        request->outcome = connection_lost();
        request->outcome.make_error().detail = PQerrorMessage(conn_);
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
    if (request.final_command && !prepare(request.final_command->statement(), closing_))
        return false;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!send_execute(commands[i], std::move(prepared[i]))) return false;
    }
    return true;
}

bool Connection::prepare(const Statement& statement, PreparedPtr& prepared) {
    StatementCache::Use use = statements_.use(statement);
    if (!use.evicted.empty() && !send_deallocate(use.evicted)) return false;
    if (use.fresh && !send_prepare(statement, use.prepared)) return false;
    prepared = std::move(use.prepared);
    return true;
}

// A Sync, or where more is to come a request for what there is so far: the transaction stays open.
bool Connection::send_end(const Request& request) {
    if (request.final_command == nullptr) return send_sync(Kind::sync);
    held_ = true;
    return PQsendFlushRequest(conn_) == 1;
}

// All of a held exchange has been answered but its end.
void Connection::close_held() {
    held_ = false;
    Request& request = *flights_.front();
    bool sent = true;
    if (request.outcome.error().message.empty()) {
        request.last = {request.final_command->statement(),
                        request.final_command->params(request.outcome.rows)};
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

// Not during a held exchange: the Sync would end its transaction.
void Connection::deallocate_retired() {
    for (const std::string& name : std::exchange(retired_, {})) {
        poisoned_ = poisoned_ || !send_deallocate(name);
    }
}

}  // namespace svc::db
