// Rows that are kept in another database: foreign tables that the owner alone reaches, and over
// them a view that is to callers what a table with policies is. Foreign tables have no row-level
// security, so the view reads under the policy, and its trigger asks for the others before it
// writes.
#pragma once

#include <optional>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

External plan_external(const model::Entity& entity);

// svc_ext.<entity>, and two of the same rows that new ones go in by: what such a table has no
// column of, the other database makes.
Routine plan_foreign(const model::Entity& entity);

// The views, their rights, and their trigger with its function.
std::vector<Routine> plan_view(const model::Model& model, const model::Entity& entity);
Routine plan_write_function(const model::Model& model, const model::Entity& entity);

// svc.<entity>_rows, what lists and aggregates read.
std::string listed_rows(const model::Entity& entity);

// The field of the key's own name; null where it is called id alone.
const model::Field* key_field(const model::Entity& entity);
// string, integer or uuid, as that field says it; null: it is as in the other table, which only an
// apply learns.
std::optional<model::FieldType> key_type(const model::Entity& entity);
// Sent by the server alone, so that the other database may make it.
bool is_made_there(const model::Field& field);
// Behind svc_ext: new rows without their key, and with it.
std::string keyless_table(const model::Entity& entity);
std::string keyed_table(const model::Entity& entity);

}  // namespace svc::plan
