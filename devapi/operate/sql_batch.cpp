#include "operate/sql_batch.hpp"

#include <algorithm>

#include "base/sql_state.hpp"
#include "data/sql/raw_rows.hpp"
#include "log/log.hpp"
#include "operate/app_connection.hpp"
#include "query/batch/batch_proof.hpp"
#include "query/budget.hpp"

namespace svc::devapi {
namespace {

constexpr std::chrono::seconds kTime{30};                  // all statements together
constexpr std::size_t kMostRows = 10'000;                  // of one statement
constexpr std::size_t kMostBytes = std::size_t{32} << 20;  // of all answers
constexpr std::size_t kFetched = 500;                      // most rows asked for at a time
constexpr std::string_view kDeclare = "declare svc_rows no scroll cursor for ";

// A query is asked for as many rows as are shown, and not for all that it has.
std::size_t fetch(AppConnection& connection, const query::BatchStatement& statement,
                  data::sql::RawRows& rows) {
    connection.run(std::string(kDeclare) + statement.text);
    // Few at first: rows may be wide.
    for (std::size_t count = 1;; count = std::min(count * 2, kFetched)) {
        const std::string more = "fetch " + std::to_string(count) + " from svc_rows";
        if (connection.run(more, {}, &rows) < count || !rows.takes_more()) break;
    }
    connection.run("close svc_rows");
    return rows.rows();
}

std::string run_one(AppConnection& connection, const query::BatchStatement& statement) {
    std::string envelope;
    data::sql::RawRows rows(envelope, kMostRows);
    const std::size_t count = statement.cursor ? fetch(connection, statement, rows)
                                               : connection.run(statement.text, {}, &rows);
    rows.finish(count);
    return envelope;
}

void set_error(SqlAnswer& answer, const SqlFailure& failure,
               const query::BatchStatement* statement) {
    answer.results.clear();
    answer.error = failure.what();
    answer.sqlstate = failure.sqlstate;
    answer.detail = failure.detail;
    answer.hint = failure.hint;
    if (!statement || failure.position == 0) return;
    const std::size_t before = statement->cursor ? kDeclare.size() : 0;
    if (failure.position > before)
        answer.position = statement->characters + failure.position - before;
}

SqlFailure too_large() {
    SqlFailure failure("The answers are too large. Ask for fewer rows.");
    failure.sqlstate = base::sqlstate::kTooLarge;
    return failure;
}

// Before anything of it runs. True: it may.
bool proven(const AppDatabase& database, const query::Batch& batch, SqlAnswer& answer) try {
    auto refused = query::prove_batch(database.admin_url, batch);
    if (!refused) return true;
    answer.error = std::move(refused->message);
    answer.sqlstate = std::move(refused->sqlstate);
    answer.hint = std::move(refused->hint);
    answer.statement = refused->statement;
    answer.position = refused->position;
    return false;
} catch (const query::TooSlow&) {
    answer.error = "PostgreSQL took longer than 10 seconds to read this. Send less in one call.";
    answer.sqlstate = base::sqlstate::kCanceled;
    return false;
} catch (const std::runtime_error& error) {
    log::write(log::Level::error, "sql_not_proven", {{"what", error.what()}});
    answer.error = "The database cannot be reached right now. Try again.";
    answer.sqlstate = base::sqlstate::kConnectionLost;
    return false;
}

}  // namespace

SqlAnswer run_batch(const AppDatabase& database, const query::Batch& batch, bool read_only,
                    const std::atomic<bool>* gone) {
    SqlAnswer answer;
    if (!proven(database, batch, answer)) return answer;
    const query::BatchStatement* running = nullptr;
    try {
        AppConnection connection(database.sql_url, gone);
        connection.begin(read_only, {}, kTime);
        std::size_t bytes = 0;
        for (const auto& statement : batch.statements) {
            running = &statement;
            answer.results.push_back(run_one(connection, statement));
            bytes += answer.results.back().size();
            if (bytes > kMostBytes) throw too_large();
            ++answer.statement;
        }
        running = nullptr;
        connection.commit();
    } catch (const SqlFailure& failure) {
        set_error(answer, failure, running);
    }
    return answer;
}

}  // namespace svc::devapi
