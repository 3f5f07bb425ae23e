// Enforces which fields a caller may write, for every statement, not only for the routes.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Statements that refuse a write of fields that the caller may not write, with the old and the new
// row. Empty if every writer may write all fields.
struct FieldGuards {
    std::string inserted, updated;
};
FieldGuards field_guards(const model::Model& model, const model::Entity& entity);

// Lists of `write`, and grants and denials of some fields. Conditions that look at other rows are
// asked with the owner's rights, as policies ask them. None if no field is kept from anybody who
// may write the row.
std::vector<Routine> plan_fields(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
