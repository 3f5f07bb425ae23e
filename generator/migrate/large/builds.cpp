// Unique indexes of large tables: built before the transaction, while rows are read and written.
#include "base/sql_state.hpp"
#include "migrate/large/deferred_work.hpp"
#include "migrate/large/locks.hpp"
#include "migrate/migration.hpp"
#include "plan/names.hpp"

namespace svc::migrate {

// One migration of a database runs at a time: its connection holds the lock.
void Migration::prepare_large() {
    {
        pqxx::nontransaction work(connection_);
        settings(work, "");
        // Runs as the administrator: roles of the app must not take these locks.
        take_lock(work, kMigrationLock, target_.limits.wait_ms);
        work.exec0("set role " + quoted(target_.owner_role));
    }
    {
        pqxx::work look(connection_);
        schema_ = read_schema(look, target_.data_role);
        schema_.replaced = target_.replaced;
        diff_ = diff(plan_, schema_, quoted(target_.data_role), target_.limits.large_rows);
        if (!diff_.first.empty() && !diff_.findings.has_errors())
            ask(look, diff_, result_.findings);
        look.abort();
    }
    // The transaction reports findings about the plan itself.
    if (failed() || diff_.findings.has_errors()) return;
    pqxx::nontransaction work(connection_);
    drop_builds(work);
    for (const Step& step : diff_.first) {
        build(work, step);
        if (failed()) return;
    }
}

void Migration::build(pqxx::nontransaction& work, const Step& step) {
    trace(step.change.sql);
    try {
        work.exec0(step.change.sql);
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        const SqlError sql_error = read_error(error);
        if (base::sqlstate::is_busy(sql_error.state)) throw;
        explain(step, sql_error, result_.findings);
    }
}

// Drops all of them: a build that failed, or whose migration failed, may belong to an earlier
// contract.
bool Migration::drop_builds(pqxx::nontransaction& work) {
    const auto rows =
        work.exec("select relname from pg_class where relkind = 'i' and relname like '" +
                  std::string(kBuild) + "%' and relnamespace = to_regnamespace('public')");
    for (const auto& row : rows) {
        work.exec0("drop index concurrently if exists " + plan::table(row[0].c_str()));
    }
    return !rows.empty();
}

void Migration::give_up() try {
    tx_.reset();
    if (diff_.first.empty() || !connection_.is_open()) return;
    pqxx::nontransaction work(connection_);
    drop_builds(work);
} catch (const pqxx::failure&) {
    // The next migration clears it away.
}

std::string Migration::who_holds_it() try {
    tx_.reset();
    if (!connection_.is_open()) return {};
    pqxx::nontransaction work(connection_);
    work.exec0("reset role");
    return who_holds(work, waiting_);
} catch (const pqxx::failure&) {
    return {};
}

// The migration may change its work. It continues after the migration.
void Migration::stop_deferred() {
    for (const Step& step : diff_.steps) {
        for (const auto& [key, table] : schema_.later) {
            if (table != step.change.table && table != step.renames) continue;
            tx_->exec0("set local role none");
            interrupt_deferred(*tx_);
            return become(target_.owner_role);
        }
    }
}

}  // namespace svc::migrate
