// What a caller's SQL may hold. A list of what is allowed, never of what is forbidden: it names the
// app's tables, its columns behind a dot, and functions that only compute. So it cannot take on
// another identity, leave its transaction, or read what is nobody's table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/sql/tokens.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::data::sql {

// A statement as PostgreSQL gets it. Tables are read through common table expressions that hold the
// columns which the caller may read.
struct GuardedSql {
    std::string text;
};

// One SELECT, WITH, VALUES or TABLE; gives at most `limit` + 1 rows.
Result<GuardedSql> guard_query(std::string_view sql, const App& app, const Caller& caller,
                               std::size_t limit);

// One INSERT, UPDATE or DELETE of a table whose columns the caller may all read, of columns that
// they may write.
Result<GuardedSql> guard_exec(std::string_view sql, const App& app, const Caller& caller);

// Is it a function that may be called, or a keyword that a parenthesis may follow?
bool may_open(std::string_view word);

}  // namespace svc::data::sql
