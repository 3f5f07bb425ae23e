// The role of developers' SQL and row writes. It logs in itself, so no statement can return to
// another role. It bypasses row-level security and nothing else. It owns and creates nothing, so
// rules, guards, change records and constraints hold for it.
#pragma once

#include <string>

#include "apps/database/database.hpp"

namespace svc::devapi {

// Makes the role if it does not exist, and grants what it lacks in this database. Returns the
// reason if that is not possible; otherwise an empty text. Blocking. Throws pqxx::failure.
std::string make_sql_role(const AppsConfig& config, const AppDatabase& database);

}  // namespace svc::devapi
