// Collects the regular expressions of a contract, so that PostgreSQL can check them.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The patterns of fields, and of matches() in access, rules, lifecycles and computed fields.
std::vector<Pattern> plan_patterns(const model::Model& model);

}  // namespace svc::plan
