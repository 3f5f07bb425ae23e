// Constraints of a table, and the message for each violation.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

struct PlannedConstraint {
    TableObject object;       // alter table … add constraint …
    ServedConstraint served;  // name, field, message
    std::string condition;    // of a check
};

// Checks and uniques first, foreign keys last. For external rows a trigger enforces them.
std::vector<PlannedConstraint> plan_constraints(const model::Model& model,
                                                const model::Entity& entity);

}  // namespace svc::plan
