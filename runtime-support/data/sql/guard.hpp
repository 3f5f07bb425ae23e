// A caller's statement as PostgreSQL gets it: tables of the app alone, through what the caller may
// read of them; columns that they may write.
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

// One SELECT, WITH, VALUES or TABLE; gives at most `limit` + 1 rows.
Result<GuardedSql> guard_query(const std::string& sql, const Reading& reading, const App& app,
                               const Caller& caller, std::size_t limit);

// One INSERT, UPDATE or DELETE of a table whose columns the caller may all read, of columns that
// they may write.
Result<GuardedSql> guard_exec(const std::string& sql, const Reading& reading, const App& app,
                              const Caller& caller);

}  // namespace svc::data::sql
