// Receives results. Each belongs to the oldest command in flight.
#include <cstring>
#include <utility>

#include "base/number.hpp"
#include "base/sql_state.hpp"
#include "db/connection.hpp"
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

std::size_t affected(PGresult* result) { return base::number_of<std::size_t>(PQcmdTuples(result)); }

}  // namespace

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

// libpq takes the request for single rows when the command before has ended, and no later.
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
                statements_.forget(step.prepared);
            }
            return;
        case Kind::execute:
            return take_execute(step, result);
        case Kind::sync:
            return take_commit(step, result);
        case Kind::deallocate:
        case Kind::own_sync:
            return;
    }
}

void Connection::take_sync() {
    const auto [kind, exchanges] = std::pair(steps_.front().kind, steps_.front().exchanges);
    pass();
    for (std::size_t i = 0; i < exchanges; ++i) finish_flight();
    if (kind == Kind::sync) return;
    // Answers that are out of step with the questions must not reach anyone.
    if (kind != Kind::own_sync) poisoned_ = true;
}

void Connection::take_execute(const Step& step, PGresult* result) {
    Request& request = *step.request;
    switch (PQresultStatus(result)) {
        case PGRES_TUPLES_OK:
        case PGRES_SINGLE_TUPLE:
            return take_rows(step, result);
        case PGRES_COMMAND_OK:
            request.outcome.rows = affected(result);
            poisoned_ = poisoned_ || opens_transaction(result);
            return;
        case PGRES_PIPELINE_ABORTED:
            request.passed_over = true;
            return;
        default:
            return take_failure(step, request, result);
    }
}

// Handles an error of the commit. Reads have nothing to commit, so their answers stay valid.
void Connection::take_commit(const Step& step, PGresult* result) {
    Request& request = *flights_.front();
    if (!request.reads) take_failure(step, request, result);
}

// Single rows end with a result that has none.
void Connection::take_rows(const Step& step, PGresult* result) {
    Request& request = *step.request;
    const int rows = PQntuples(result);
    const bool begins = taken_ == 0;
    taken_ += static_cast<std::size_t>(rows);
    request.outcome.rows = taken_;
    RowSink* sink = step.command->sink;
    if (sink == nullptr) return;
    if (begins && sink->describes()) describe(result, *sink);
    if (rows == 0) return;
    request.delivered = request.delivered || !sink->forgets();
    for (int i = 0; i < rows; ++i) sink->row(Row(result, i));
    if (step.command->ends_early && sink->enough()) break_off();
}

void Connection::take_failure(const Step& step, Request& request, PGresult* result) {
    Outcome outcome = failure(result);
    if (step.prepared && stale_plan(result, outcome)) {
        if (step.prepared->error) {  // it was never prepared: that is the answer
            outcome.make_error() = step.prepared->error->error();
        } else {
            const bool gone = outcome.error().sqlstate == base::sqlstate::kNoStatement;
            // A plan that is being replaced fails every exchange in flight that uses it.
            if (statements_.forget(step.prepared) && !gone) retired_.push_back(step.prepared->name);
            if (!request.repeated && !request.delivered) {
                request.repeated = true;
                outcome.make_error().sqlstate = "";  // finish_flight sends it again
            }
        }
    }
    if (request.outcome.sql_error) return;
    request.outcome = std::move(outcome);
    request.outcome.failed = index_of(request, step.command);
}

// Cancelling would need another connection, and could meet what comes next on this one.
void Connection::break_off() {
    if (flights_.size() != 1 || held_) return;
    RequestPtr request = std::move(flights_.front());
    flights_.pop_front();
    request->outcome.ok = true;
    done_.push_back(std::move(request));
    poisoned_ = true;
}

void Connection::finish_flight() {
    RequestPtr request = std::move(flights_.front());
    flights_.pop_front();
    load_ -= request->weight;
    Outcome& outcome = request->outcome;
    // It did not run, because another of its batch had failed.
    if (std::exchange(request->passed_over, false) && !outcome.sql_error) {
        request->alone = true;
        outcome = {};
        stale_.push_back(std::move(request));
        return;
    }
    if (outcome.sql_error && outcome.error().sqlstate.empty()) {
        outcome = {};
        stale_.push_back(std::move(request));
        return;
    }
    outcome.ok = !outcome.sql_error;
    done_.push_back(std::move(request));
}

}  // namespace svc::db
