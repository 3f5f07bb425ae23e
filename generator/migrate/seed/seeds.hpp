// Rows and accounts that come with the contract.
#pragma once

#include <pqxx/pqxx>

#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

// Creates new seeds, updates changed ones, and leaves the rest. Reports SEED_REFUSED at a row that
// a rule or the database refuses.
void seed(pqxx::dbtransaction& tx, const plan::Plan& plan, diag::Findings& findings);

}  // namespace svc::migrate
