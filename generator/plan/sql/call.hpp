// Function calls of expressions as SQL.
#pragma once

#include <string>

#include "plan/sql/expr.hpp"

namespace svc::plan {

// "90m" -> interval '90 minutes'
std::string interval(const std::string& duration);
std::string call_value(const model::Expr& call, const Scope& scope);

}  // namespace svc::plan
