#include "operate/app_connection.hpp"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/sql_state.hpp"
#include "db/pg_types.hpp"
#include "postgres/conninfo.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostOfRow = std::size_t{16} << 20;
constexpr int kSilence = 90'000;      // ms; PostgreSQL's own limits end a statement before
constexpr int kLookForWaiting = 200;  // ms between looks whether somebody still waits for it

SqlFailure lost() {
    SqlFailure failure("The database cannot be reached right now. Try again.");
    failure.sqlstate = base::sqlstate::kConnectionLost;
    return failure;
}

SqlFailure refused(const PGresult* result) {
    pq::SqlError said = pq::error_of(result);
    return said.sqlstate.empty() ? lost() : SqlFailure(std::move(said));
}

void send_columns(const PGresult* result, db::RowSink& sink) {
    std::vector<db::ResultColumn> columns;
    columns.reserve(static_cast<std::size_t>(PQnfields(result)));
    for (int i = 0; i < PQnfields(result); ++i)
        columns.push_back({PQfname(result, i), PQftype(result, i)});
    sink.columns(columns);
}

struct FirstValue final : db::RowSink {
    void row(const Row& row) override {
        if (!found && !row.null(0)) value = row.text(0);
        found = true;
    }
    bool found = false;
    std::optional<std::string> value;
};

}  // namespace

AppConnection::AppConnection(const std::string& url, const std::atomic<bool>* gone) : gone_(gone) {
    // Before anything that a developer wrote is read: their text means here what our reading took
    // it for, and answers are printed in one form.
    const std::string set = with_setting(
        with_setting(with_setting(url, "connect_timeout", "5"), "application_name", "svc-operate"),
        "options",
        "-c search_path=public -c standard_conforming_strings=on -c timezone=UTC -c datestyle=ISO "
        "-c intervalstyle=postgres -c bytea_output=hex -c lock_timeout=3s "
        "-c idle_in_transaction_session_timeout=60s -c client_min_messages=error");
    connection_.emplace(set);
    if (!connection_->open()) throw lost();
}

AppConnection::~AppConnection() = default;

void AppConnection::begin(bool read_only, const Identity& identity, std::chrono::seconds limit) {
    until_ = std::chrono::steady_clock::now() + limit;
    run(read_only ? "begin transaction read only" : "begin transaction read write");
    // The first query of the transaction: after it, one that only reads cannot become another.
    const Param params[] = {identity.user_id, identity.principals, identity.claims};
    run("select set_config('svc.user_id', $1, true), set_config('svc.principals', $2, true), "
        "set_config('svc.claims', $3, true), set_config('svc.elevated', '', true)",
        params);
}

void AppConnection::commit() { run("commit"); }
void AppConnection::roll_back() { run("rollback"); }

void AppConnection::limit_time() {
    if (until_ == std::chrono::steady_clock::time_point{} ||
        PQtransactionStatus(connection_->handle()) != PQTRANS_INTRANS)
        return;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until_ - std::chrono::steady_clock::now());
    const std::string text = std::to_string(std::max<long long>(1, left.count()));
    connection_->run("set local statement_timeout = " + text);
}

std::size_t AppConnection::run(const std::string& sql, std::span<const Param> params,
                               db::RowSink* sink) {
    limit_time();
    if (!connection_->send_one(sql, params)) throw lost();
    return receive(sink);
}

// A thread of its own waits here, so PostgreSQL is asked to end the statement from here as well:
// none of another can be met by it, since the connection is closed next.
void AppConnection::cancel() {
    connection_->cancel();
    connection_.reset();
    SqlFailure failure("The caller closed the connection before the answer was ready.");
    failure.sqlstate = base::sqlstate::kCanceled;
    throw SqlFailure(failure);
}

void AppConnection::wait_for_bytes(int socket) {
    for (int waited = 0; waited < kSilence; waited += kLookForWaiting) {
        pollfd ready{socket, POLLIN, 0};
        const int found = ::poll(&ready, 1, kLookForWaiting);
        if (found > 0) return;
        if (found < 0) throw lost();
        if (gone_ && *gone_) cancel();
    }
    throw lost();
}

// Until a result can be taken without waiting. One row must not be larger than we can hold: what
// arrives for it is counted, and past the bound the connection ends.
void AppConnection::wait() {
    PGconn* connection = connection_->handle();
    for (std::size_t arrived = 0; PQisBusy(connection) != 0;) {
        wait_for_bytes(PQsocket(connection));
        int bytes = 0;
        if (::ioctl(PQsocket(connection), FIONREAD, &bytes) == 0)
            arrived += static_cast<std::size_t>(bytes);
        if (arrived > kMostOfRow) {
            connection_.reset();
            SqlFailure failure("One row is larger than 16 MB. Select fewer columns.");
            failure.sqlstate = base::sqlstate::kTooLarge;
            throw SqlFailure(failure);
        }
        if (PQconsumeInput(connection) == 0) throw lost();
    }
}

std::size_t AppConnection::receive(db::RowSink* sink) {
    std::size_t rows = 0, read = 0;
    std::optional<SqlFailure> failure;
    bool described = false;
    for (PGresult* raw = nullptr; wait(), (raw = PQgetResult(connection_->handle())) != nullptr;) {
        const pq::Result result(raw);
        const auto status = PQresultStatus(raw);
        const bool tuples = status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK;
        if (status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE) failure = refused(raw);
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT) throw lost();
        if (tuples && sink && !described) send_columns(raw, *sink);
        described = described || tuples;
        for (int i = 0; sink && i < PQntuples(raw); ++i) sink->row(Row(raw, i));
        read += static_cast<std::size_t>(PQntuples(raw));
        if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
            const char* affected = PQcmdTuples(raw);  // of SHOW and EXPLAIN nothing
            rows = *affected == '\0' ? read : std::strtoull(affected, nullptr, 10);
        }
    }
    if (failure) throw SqlFailure(*failure);
    return rows;
}

std::optional<std::string> AppConnection::value(const std::string& sql,
                                                std::span<const Param> params) {
    FirstValue first;
    run(sql, params, &first);
    return first.value;
}

}  // namespace svc::devapi
