// Finds rules that rows of the seeds break, as far as a row's own values show it. PostgreSQL
// evaluates them at check.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The rules on create that read only the new row, and not the time.
std::vector<SeedRule> plan_seed_rules(const model::Model& model);

}  // namespace svc::plan
