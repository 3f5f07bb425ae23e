// Rows that are kept in another database. Only the owner reaches the foreign tables; callers use a
// view over them as a table with policies. Foreign tables have no row-level security, so the view
// reads under the read policy, and its trigger checks the other policies before it writes.
#pragma once

#include <optional>
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

// svc.<entity>_rows, what lists and aggregates read.
std::string listed_rows(const model::Entity& entity);

// The field that declares the name of the key; null if the key is only called id.
const model::Field* key_field(const model::Entity& entity);
// The type that the field declares: string, integer or uuid. Null: the type of the column in the
// other table, which is known only during an apply.
std::optional<model::FieldType> key_type(const model::Entity& entity);
// True if only the server may send the field, so the other database may make its value.
bool is_made_there(const model::Field& field);
// The tables of svc_ext for new rows without their key, and with it.
std::string keyless_table(const model::Entity& entity);
std::string keyed_table(const model::Entity& entity);

}  // namespace svc::plan
