// Other databases: the servers and accounts through which their tables are reached, and the check
// that these tables fit the contract. No returned text has a password.
#pragma once

#include <map>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "migrate/migrate.hpp"
#include "migrate/schema/schema.hpp"

namespace svc::migrate {

// The servers that connect() would make or change, as the plan shows them. None for missing
// secrets.
std::vector<Change> connections_changed(pqxx::transaction_base& tx, const plan::Plan& plan,
                                        const Target& target);
// Drops the servers that no entity uses any more. Run it after the steps.
std::vector<Change> connections_left(pqxx::transaction_base& tx, const plan::Plan& plan);

// Makes the extension, a server for each connection, and an account there for the owner alone; as
// the administrator. SECRET_MISSING, BAD_CONNECTION, EXTERNAL_NEEDS_SUPERUSER.
void connect(pqxx::work& tx, const plan::Plan& plan, const Target& target,
             diag::Findings& findings);

// Reads the tables of the other databases, as the owner. Returns the types of the keys, by entity.
// EXTERNAL_UNREACHABLE, EXTERNAL_MISMATCH.
std::map<std::string, std::string> verify(pqxx::work& tx, const plan::Plan& plan,
                                          diag::Findings& findings);

// A foreign table whose key has another type now counts as new.
void forget_other_keys(pqxx::transaction_base& tx, const std::map<std::string, std::string>& types,
                       Schema& schema);

// A table of the app keeps its rows; no view can have its name.
void refuse_kept_tables(const plan::Plan& plan, const Schema& schema, diag::Findings& findings);

}  // namespace svc::migrate
