// Regular expressions of a contract, so that PostgreSQL can be asked whether it reads them.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The patterns of fields, and of matches() in access, rules, lifecycles and computed fields.
std::vector<Pattern> plan_patterns(const model::Model& model);

}  // namespace svc::plan
