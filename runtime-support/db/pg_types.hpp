// Small translations between our types and libpq's.
#pragma once

#include <libpq-fe.h>

#include "db/pool.hpp"

namespace svc::db {

// The error of a failed result.
Outcome failure(const PGresult* result);

// The cached plan of a prepared statement no longer fits its tables (0A000), or the statement is
// gone (26000): it must be prepared anew.
bool stale_plan(const PGresult* result, const Outcome& outcome);

Outcome connection_lost();

}  // namespace svc::db
