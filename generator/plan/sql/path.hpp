// Paths of expressions as SQL: a column, or a sub-select that follows refs and relations. A path
// reads rows without policies: predicates with paths run with the owner's rights.
#pragma once

#include <string>

#include "plan/sql/expr.hpp"

namespace svc::plan {

// A path over many rows (through a relation) somewhere.
bool crosses_many(const model::Expr& path);

// An attribute of the caller: id, org, email…
std::string user_value(model::CallerAttribute attribute, const Scope& scope);

// The value of a path that does not cross many rows.
std::string path_value(const model::Expr& path, const Scope& scope);
// The value as the column stores it: path_value() reads floats as numeric.
std::string stored_value(const model::Expr& path, const Scope& scope);

// (select <what> from … where …) over the rows that a path through a relation reaches. `what` may
// use the column of the path's last step as $column, and the alias of its row as $row.
std::string many_select(const model::Expr& path, const Scope& scope, const std::string& what);
// The path as the list of the last step's values.
std::string many_column(const model::Expr& path, const Scope& scope);

}  // namespace svc::plan
