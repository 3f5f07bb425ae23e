// Databases and roles of projects: made, brought to what they must be, dropped. All of it may run
// again. Throws pqxx::failure with PostgreSQL's words.
#pragma once

#include <set>
#include <string>

#include "apps/database.hpp"

namespace svc::devapi {

// Roles, database, and who may connect. True when the database was made by this call.
bool provision(const AppsConfig& config, const AppDatabase& database);

// Ends every connection, drops the database and its roles.
void drop(const AppsConfig& config, const AppDatabase& database);

// Names of the server's databases that are ours.
std::set<std::string> app_databases(const AppsConfig& config);

}  // namespace svc::devapi
