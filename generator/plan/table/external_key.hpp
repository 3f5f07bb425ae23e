// Facts about rows in another database that tables and statements need. external.hpp makes what
// they use.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"

namespace svc::plan {

// svc.<entity>_rows, what lists and aggregates read.
std::string listed_rows(const model::Entity& entity);

// The field that declares the name of the key; null if the key is only called id.
const model::Field* key_field(const model::Entity& entity);
// The type that the field declares: string, integer or uuid. Null: the type of the column in the
// other table, which is known only during an apply.
std::optional<model::FieldType> key_type(const model::Entity& entity);
// True if only the server may send the field, so the other database may make its value.
bool is_made_there(const model::Field& field);

}  // namespace svc::plan
