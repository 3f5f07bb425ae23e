// Brings a database to a plan: additive DDL, policies, triggers, seeds, and a PREPARE of every
// statement of the new server, all in one transaction. Rows are kept.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct Target {
    std::string url;          // administrator connection to the app's database
    std::string owner_role;   // owns schemas and tables; never logs in
    std::string data_role;    // runs callers' statements under row-level security
    std::string system_role;  // accounts, sessions, keys
};

// What is recorded in svc.contract when the change commits.
struct Record {
    std::int64_t version = 0;
    std::string contract;  // as its author wrote it
    std::string hash;
    std::string binary_path;
    std::string apply_id = {};  // uuid of the apply that makes it so; empty: none
    std::int64_t token = 0;     // of its lease: where a greater one was seen, it may not commit
};

struct Change {
    std::string
        kind;  // create_table, add_column, rename_column, alter_type, create_index, policy, …
    std::string table;   // empty where none
    std::string column;  // empty where none
    std::string sql;
};

struct Result {
    bool ok = false;
    std::vector<Change> changes;  // in the order in which they run
    diag::Findings findings;      // why not, at the place in the contract; or warnings
};

// The changes that apply() would make; changes nothing. A database without our schema is a new one.
Result preview(const plan::Plan& plan, const Target& target);

// Makes them, or none of them. Throws pqxx::broken_connection when the database is lost,
// std::runtime_error where an apply with a greater token was here.
Result apply(const plan::Plan& plan, const Target& target, const Record& record);

}  // namespace svc::migrate
