// Named queries: read, and proved against the tables that the plan would make.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diag/finding.hpp"
#include "plan/plan.hpp"
#include "query/budget.hpp"

namespace svc::query {

// Where queries and patterns are tried: any PostgreSQL where temporary tables may be made.
struct Database {
    Database(const char* where) : Database(std::string(where)) {}
    Database(std::string where = {}, std::chrono::milliseconds time = kUsualBudget)
        : url(std::move(where)), budget(time) {}

    std::string url;  // empty: none
    std::chrono::milliseconds budget;
};

// Gives every query its statement and its columns. In `database` the tables that queries mention
// are made there without rows, in one transaction that is rolled back. Without one, all but types
// and columns is checked, and the warning QUERIES_NOT_PROVED says so. Throws std::runtime_error
// where that PostgreSQL does not answer. What takes longer than its budget is the error
// CHECK_TOO_SLOW.
void prove(plan::Plan& plan, const Database& database, diag::Findings& findings);

// Where a contract has mistakes and so no whole plan: `plan` has the tables that are sound, and
// only queries of these alone are proved; for the others only findings that need no tables are
// reported. `entities` are the names of all; names that `findings` has in doubt count as well.
// Callers and masks are not checked.
void prove_sound(plan::Plan& plan, std::vector<std::string> entities, const Database& database,
                 diag::Findings& findings);

}  // namespace svc::query
