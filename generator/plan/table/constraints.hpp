// Constraints of a table: what the database refuses, and what that means in words.
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

// Checks and uniques first, foreign keys last. Of external rows a trigger keeps
// them.
std::vector<PlannedConstraint> plan_constraints(const model::Model& model,
                                                const model::Entity& entity);

}  // namespace svc::plan
