#include "migrate/migrate.hpp"

#include <algorithm>
#include <chrono>
#include <pqxx/pqxx>
#include <random>
#include <thread>

#include "base/sql_state.hpp"
#include "migrate/diff/diff.hpp"
#include "migrate/migration.hpp"
#include "migrate/refusal/explain_failure.hpp"

namespace svc::migrate {
namespace {

// Longer each time, and never as long as another who waits for the same thing.
void pause(unsigned tried) {
    thread_local std::minstd_rand random{std::random_device{}()};
    std::uniform_int_distribution<unsigned> jitter(50, std::min(100U << tried, 2000U));
    std::this_thread::sleep_for(std::chrono::milliseconds(jitter(random)));
}

[[noreturn]] void give_up_busy(Migration& migration, const SqlError& sql_error) {
    const std::string what =
        migration.waiting().empty() ? "the tables that this needs" : migration.waiting();
    const std::string who = migration.who_holds_it();
    throw Failure(
        "DATABASE_BUSY",
        (who.empty() ? "Another transaction keeps " + what + " locked: " + sql_error.message
                     : "Another transaction keeps " + what + " locked: " + who) +
            ". Try again when it has ended.");
}

// A fault of the database is thrown; what its author can fix becomes a finding.
void refuse(const pqxx::sql_error& error, const SqlError& sql_error, Result& result) {
    if (base::sqlstate::is_of_machine(sql_error.state)) {
        throw Failure("DATABASE_FAILED", sql_error.message + " (" + sql_error.state + ")");
    }
    result.ok = false;
    result.findings.error(
        "MIGRATION_FAILED", "",
        "The database refused: " + sql_error.message + " (" + sql_error.state + ").",
        fix_of(sql_error.state, error.query()));
}

// The work, again where another transaction was in the way; nothing of a failed try remains.
template <class Work>
Result tried(const plan::Plan& plan, const Target& target, Work work) {
    for (unsigned attempt = 1;; ++attempt) {
        Result result;
        Migration migration(plan, target, result);
        try {
            work(migration);
            if (!result.ok) migration.give_up();
            return result;
        } catch (const pqxx::broken_connection&) {
            throw;
        } catch (const pqxx::sql_error& error) {
            const SqlError sql_error = read_error(error);
            const bool busy = base::sqlstate::is_busy(sql_error.state);
            migration.give_up();
            if (busy && attempt >= target.limits.tries) give_up_busy(migration, sql_error);
            if (!busy) {
                refuse(error, sql_error, result);
                return result;
            }
        }
        pause(attempt);
    }
}

}  // namespace

Result preview(const plan::Plan& plan, const Target& target) {
    return tried(plan, target, [](Migration& migration) { migration.preview(); });
}

Result preview_new(const plan::Plan& plan, const std::string& data_role) {
    Result result;
    for (const Step& step : diff(plan, {}, "\"" + data_role + "\"").steps) {
        result.changes.push_back(step.change);
    }
    result.ok = true;
    return result;
}

Result apply(const plan::Plan& plan, const Target& target, const Record& record) {
    return tried(plan, target, [&](Migration& migration) { migration.apply(record); });
}

}  // namespace svc::migrate
