// Expressions as conditions of the server. They mean what the SQL of the same tree means.
//
// No such form: what looks at other rows, lower and upper and matches (the database's alone: its
// character classes and regular expressions), changed of JSON, min and max of JSON or tags, and
// days made moments where the app's timezone is not UTC.
#pragma once

#include "model/model.hpp"
#include "plan/condition/tree.hpp"

namespace svc::plan {

// True exactly where `expr` is true; null if it has no such form.
ConditionPtr server_condition(const model::Expr& expr, const model::Model& model);

}  // namespace svc::plan
