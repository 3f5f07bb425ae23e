// The schema of a database, from PostgreSQL's catalogues.
#pragma once

#include <string>

namespace svc::devapi {

// {tables: [{name, managed, columns, primaryKey, foreignKeys, indexes, policies}], views,
// functions, triggers} as JSON text, of schema public and of what the contract made beside it.
// Blocking. Throws pqxx::failure.
std::string schema_json(const std::string& admin_url);

}  // namespace svc::devapi
