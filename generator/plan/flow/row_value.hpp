// Rows of functions and workflows as JSON: as the data API prints them.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {

// The row of that alias as jsonb: to_jsonb(_w) || …. PostgreSQL writes the moments in it another
// way, so they are written over it.
std::string row_value(const std::string& alias, const model::Entity& entity);
std::string row_value(const std::string& alias, const std::vector<std::string>& moments);

// The same for a row that is being written: what follows "returning *". Each moment comes once
// more, as text, under its own name: to_jsonb() keeps the later of two. Runs record writes often,
// and a second JSON object for each write would cost more than the extra columns.
std::string moments_behind(const model::Entity& entity);

// True for "new" or "old" alone: the row that started the run.
bool is_starting_row(const model::Expr& expr);
// That row as jsonb. The context has it as PostgreSQL wrote it into the change.
std::string starting_row(const model::Expr& expr, const Scope& scope);

// A moment as text, as the data API prints it.
std::string moment_text(const std::string& moment);

}  // namespace svc::plan
