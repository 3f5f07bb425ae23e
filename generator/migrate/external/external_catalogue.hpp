// Reads the catalogue of another database for a table, through foreign tables.
#pragma once

#include <map>
#include <pqxx/pqxx>
#include <string>

#include "plan/plan.hpp"

namespace svc::migrate {

struct RemoteColumn {
    std::string type;    // as pg_type calls it
    bool loose = false;  // by a nondeterministic collation: different texts are equal
};
using Columns = std::map<std::string, RemoteColumn>;  // by name

// Empty if there is no such table, or its account has no right to it. Throws pqxx::sql_error
// where the other database does not answer.
Columns read_columns(pqxx::transaction_base& tx, const plan::External& external);

// True if the table has a unique index on the key alone. Without one, an id may name several rows;
// a view has none.
bool is_unique(pqxx::transaction_base& tx, const plan::External& external);

// True if the server there has a database with this name.
bool has_database(pqxx::transaction_base& tx, const plan::External& external,
                  const std::string& name);

}  // namespace svc::migrate
