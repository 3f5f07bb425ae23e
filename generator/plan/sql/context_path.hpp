// Paths of functions and workflows as SQL. Their statements have one parameter, $1: the context of
// the run, {"input": …, "new": …, "old": …, "actor": …, "steps": {…}, "local": {…}}.
#pragma once

#include <cstddef>
#include <string>

#include "plan/sql/expr.hpp"

namespace svc::plan {

// How many steps of the path stay within the context: those before its first ref or relation.
std::size_t steps_within_context(const model::Expr& path);
// True if the path leaves the context, for rows of tables.
bool leaves_context(const model::Expr& path);

// The id in the column of the row that the first `steps` steps lead to.
std::string id_in_context(const model::Expr& path, std::size_t steps, const std::string& column,
                          const Scope& scope);
// The text of a member of the value that the path leads to, which is its root alone.
std::string member_in_context(const model::Expr& root, const std::string& member);
// The value of a path that never leaves the context; null if there is nothing of its type.
std::string context_value(const model::Expr& path, const Scope& scope);
// For a column of JSON: the member that the steps from `first` on lead to, as the path's type.
std::string member_value(const model::Expr& path, std::size_t first, const std::string& column);

// The value as that type of PostgreSQL, with no more casts and parentheses than it takes.
std::string cast_to(const std::string& value, const std::string& type);

}  // namespace svc::plan
