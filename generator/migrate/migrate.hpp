// Brings a database to a plan: additive DDL, policies, triggers, seeds, and a PREPARE of every
// statement of the new server, all in one transaction. Rows are kept.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "migrate/schema/replaced.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct Limits {
    unsigned lock_ms = 2000;   // for all tables of a migration together; readers wait behind it
    unsigned wait_ms = 30000;  // for another migration of the same database
    unsigned tries = 5;
    // Time limit of one statement, because a pattern may take very long on some row while the table
    // is locked.
    unsigned statement_ms = 600'000;
    unsigned preview_ms = 60'000;
    std::int64_t large_rows = 100'000;  // what has more is not locked for as long as its rows take
};

// Another database, as an entity's secret names it: options of a foreign server and of its account,
// by PostgreSQL's own names.
struct Connection {
    std::map<std::string, std::string> server;
    std::map<std::string, std::string> account;
    std::string error = {};  // why it may not be used
};

struct Target {
    std::string url;          // administrator connection to the app's database
    std::string owner_role;   // owns schemas and tables; never logs in
    std::string data_role;    // runs callers' statements under row-level security
    std::string system_role;  // accounts, sessions, keys
    Limits limits = {};
    // Called with each statement that changes something, before it runs.
    std::function<void(const std::string& sql)> trace = {};
    std::map<std::string, Connection> connections = {};  // by the name of the secret
    std::vector<Replaced> replaced = {};
};

// The row of svc.contract after the commit of the change.
struct Record {
    std::int64_t version = 0;
    std::string contract;  // as its author wrote it
    std::string hash;
    std::string binary_path;
    std::string apply_id = {};  // uuid of the apply that makes it so; empty: none
    std::int64_t token = 0;     // of its lease: where a greater one was seen, it may not commit
};

// When a change is made: in the migration's transaction, or before or after it.
enum class When : std::uint8_t { inside, before, after };

struct Change {
    ChangeKind kind;
    std::string table;   // empty if none
    std::string column;  // empty if none
    std::string sql;
    When when = When::inside;
    std::int64_t rewrites = 0;  // rows of a large table that it rewrites under its lock; 0: none
};

// An object in the database that is not in the contract any more, or never was. It is not changed.
struct Leftover {
    enum class Kind : std::uint8_t { table, column, policy, trigger, constraint, index };

    Kind kind = Kind::table;
    std::string table;
    std::string name;  // empty for tables
};

struct Result {
    bool ok = false;
    std::vector<Change> changes;  // in the order in which they run
    std::vector<Leftover> leftovers;
    diag::Findings findings;  // why not, at the place in the contract; or warnings
};

// The database or its machine is at fault, not the contract: it is locked, full, not reachable, or
// refuses access. Nothing was changed. `what()` begins with the code.
struct Failure : std::runtime_error {
    Failure(std::string code, const std::string& message)
        : std::runtime_error(code + ": " + message), code(std::move(code)) {}
    std::string code;  // DATABASE_BUSY, DATABASE_FAILED
};

// The changes that apply() would make; changes nothing. A database without our schema is a new one.
// Throws as apply() does.
Result preview(const plan::Plan& plan, const Target& target);
// The preview for a database that does not exist yet.
Result preview_new(const plan::Plan& plan, const std::string& data_role);

// Makes all changes or none. Throws Failure; pqxx::broken_connection and pqxx::in_doubt_error if
// the connection is lost, which leaves the old or the new state; std::runtime_error if an apply
// with a greater token has committed.
Result apply(const plan::Plan& plan, const Target& target, const Record& record);

// ---- what apply() defers: large tables are not locked for as long as their rows take ----

struct Pending {
    ObjectKind kind;  // index, constraint, not_null or words
    std::string name, table;
    std::string path;   // in the contract that asked for it
    std::string error;  // why it could not be done; empty: not tried yet
};

// Does the deferred work, one step after another, while the app serves: builds indexes, validates
// constraints, adds search words of rows. A failed step is recorded and left for the next time.
// Returns the remaining work. Throws pqxx::failure if the connection is lost; call it again then.
std::vector<Pending> run_deferred(const Target& target);
std::vector<Pending> pending(const Target& target);
// Ends a run_deferred() of this database in another thread or process, which then throws
// pqxx::broken_connection.
void interrupt(const Target& target);

}  // namespace svc::migrate

template <>
struct svc::base::Words<svc::migrate::When> {
    static constexpr std::array<std::string_view, 3> kAll = {"", "before", "after"};
};

template <>
struct svc::base::Words<svc::migrate::Leftover::Kind> {
    static constexpr std::array<std::string_view, 6> kAll = {"table",   "column",     "policy",
                                                             "trigger", "constraint", "index"};
};
