// Rows and accounts that come with the contract.
#pragma once

#include <map>
#include <pqxx/pqxx>
#include <string>

#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

// Creates new seeds, updates changed ones, and leaves the rest. Reports SEED_REFUSED at a row that
// a rule or the database refuses. `renamed`: as Schema::called, of tables that have their new names
// by now.
void seed(pqxx::dbtransaction& tx, const plan::Plan& plan,
          const std::map<std::string, std::string>& renamed, diag::Findings& findings);

}  // namespace svc::migrate
