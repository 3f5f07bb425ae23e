// The role that developers' SQL and row writes run as: it logs in by itself, so there is no other
// role to fall back to; it passes row-level security, and nothing else. It owns nothing and makes
// nothing, so rules, guards, change records and constraints hold for it.
#pragma once

#include <string>

#include "apps/database/database.hpp"

namespace svc::devapi {

// Makes it if it is not there, and gives it what it lacks in this database. Returns why it
// cannot be; empty: it is there. Blocking. Throws pqxx::failure.
std::string make_sql_role(const AppsConfig& config, const AppDatabase& database);

}  // namespace svc::devapi
