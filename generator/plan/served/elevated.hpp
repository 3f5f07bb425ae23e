// Runs reading queries past row-level security, for an administrator who requests it.
#pragma once

#include "plan/plan.hpp"

namespace svc::plan {

// For each query that reads and whose columns are known: a function of the owner's that runs it
// where svc.elevated() says so, and the statement that calls it.
void plan_elevated(Plan& plan);

}  // namespace svc::plan
