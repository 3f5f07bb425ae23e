// Turns a caller's statement into the statement that PostgreSQL runs: it reads only what the caller
// may read of the app's tables, and writes only columns that the caller may write.
#pragma once

#include <string>

#include "data/sql/reading.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::data::sql {

// Tables are read through common table expressions that hold the columns which the caller may read.
struct GuardedSql {
    std::string text;
};

// Checks one SELECT, WITH, VALUES or TABLE. The result returns at most `limit` + 1 rows.
Result<GuardedSql> guard_query(const std::string& sql, const Reading& reading, const App& app,
                               const Caller& caller, std::size_t limit);

// Checks one INSERT, UPDATE or DELETE. The caller must be able to read all columns of the table,
// and to write the written ones.
Result<GuardedSql> guard_exec(const std::string& sql, const Reading& reading, const App& app,
                              const Caller& caller);

}  // namespace svc::data::sql
