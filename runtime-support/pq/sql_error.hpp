// The error of a failed statement, from PostgreSQL.
#pragma once

#include <libpq-fe.h>

#include <cstddef>
#include <string>

namespace svc::pq {

struct SqlError {
    std::string sqlstate;  // empty: it is an error of libpq itself
    std::string message, detail, hint, constraint, column, table;
    std::size_t position = 0;  // character of the statement, from 1; 0: no place
    bool external = false;     // another database said it, or could not be reached, by postgres_fdw

    // The message for a log; empty if it is about a value, because such messages quote the value.
    std::string loggable() const;
};

SqlError error_of(const PGresult* result);

// A field PG_DIAG_… of the error; empty if PostgreSQL does not set it.
std::string error_field(const PGresult* result, int field);

}  // namespace svc::pq
