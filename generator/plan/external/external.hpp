// Rows that are kept in another database. Only the owner reaches the foreign tables; callers use a
// view over them as a table with policies. Foreign tables have no row-level security, so the view
// reads under the read policy, and its trigger checks the other policies before it writes.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

External plan_external(const model::Entity& entity);

// The foreign table svc_ext.<entity> and two more over the same rows, through which new rows are
// inserted. A column that such a table lacks gets its value from the other database.
Routine plan_foreign(const model::Entity& entity);

// The views, their rights, and their trigger with its function.
std::vector<Routine> plan_view(const model::Model& model, const model::Entity& entity);
Routine plan_write_function(const model::Model& model, const model::Entity& entity);

// The tables of svc_ext for new rows without their key, and with it.
std::string keyless_table(const model::Entity& entity);
std::string keyed_table(const model::Entity& entity);

}  // namespace svc::plan
