// Makes, updates and drops the databases and roles of projects. All functions may run again. They
// throw pqxx::failure with PostgreSQL's message.
#pragma once

#include <set>
#include <string>

#include "apps/database/database.hpp"

namespace svc::devapi {

// Makes the roles and the database, and sets who may connect. Returns true if this call made the
// database.
bool provision(const AppsConfig& config, const AppDatabase& database);

// Ends every connection, drops the database and its roles.
void drop(const AppsConfig& config, const AppDatabase& database);

// Ends the connections of its app and of developers' SQL. Afterwards neither can write to it.
void shut_database(const AppsConfig& config, const AppDatabase& database);

// Drops only the database. Its roles also belong to another one: a later generation, or dev for a
// verification's clone.
void drop_database(const AppsConfig& config, const std::string& name);

// Names of the databases on the server that belong to svcd.
std::set<std::string> app_databases(const AppsConfig& config);

// Ends the connections of a change that is over (for_change), and waits until they are gone: what
// they had not committed by then never will be. Throws std::runtime_error after ten seconds.
void end_connections(const AppsConfig& config, const std::string& change);

}  // namespace svc::devapi
