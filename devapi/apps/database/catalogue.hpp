// What PostgreSQL lets everybody call and read in a database, taken away where no app needs it: the
// last wall behind those that read SQL.
#pragma once

#include "apps/database/database.hpp"

namespace svc::devapi {

// Takes EXECUTE of functions that keep bytes outside of tables, run a text, wait, lock, or meet
// other sessions, and SELECT of catalogues that tell of the whole server, from PUBLIC in this
// database, if it has them still. Takes a superuser: without one it does nothing. Blocking.
// Throws pqxx::failure.
void close_catalogue(const AppDatabase& database);

}  // namespace svc::devapi
