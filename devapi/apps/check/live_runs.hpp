// Unfinished runs that a new contract could break: each continues with its own definition, whose
// statements fit the earlier contract.
#pragma once

#include "apps/database/database.hpp"
#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::devapi {

// Warnings CONTRACT_CHANGED. `database` is the app's, which need not be there yet; it is only read.
// Blocking; throws pqxx::failure, and std::runtime_error where the proving database does not
// answer.
void warn_of_touched_runs(const AppsConfig& config, const AppDatabase& database,
                          const plan::Plan& plan, diag::Findings& findings);

}  // namespace svc::devapi
