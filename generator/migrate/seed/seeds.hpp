// Rows and accounts that come with the contract.
#pragma once

#include <pqxx/pqxx>

#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

// Makes what is new, changes what changed, leaves the rest. SEED_REFUSED at the row for what a rule
// or the database refuses.
void seed(pqxx::dbtransaction& tx, const plan::Plan& plan, diag::Findings& findings);

}  // namespace svc::migrate
