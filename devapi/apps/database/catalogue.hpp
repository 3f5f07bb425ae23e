// Revokes rights that PostgreSQL gives everybody in a database and that no app needs: the last
// protection if the readers of SQL miss something.
#pragma once

#include "apps/database/database.hpp"

namespace svc::devapi {

// Revokes from PUBLIC in this database EXECUTE on functions that store bytes outside of tables, run
// a text, wait, lock, or affect other connections, and SELECT on catalogues about the whole server.
// It needs a superuser and does nothing without one. Blocking. Throws pqxx::failure.
void close_catalogue(const AppDatabase& database);

}  // namespace svc::devapi
