// After-write triggers: every write of a managed table is recorded in svc.change, whatever role
// made it.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

std::vector<Routine> plan_records(const model::Entity& entity);

}  // namespace svc::plan
