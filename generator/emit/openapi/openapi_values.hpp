// Columns and parameters as JSON Schema, each with a value that fits it.
#pragma once

#include <optional>
#include <string>

#include "emit/json_page.hpp"
#include "plan/column_type.hpp"
#include "plan/facts.hpp"

namespace svc::emit {

// `sent`: the value of a request, with its bounds; otherwise the value of an answer.
Json value_schema(const plan::Facts& facts, const std::string& currency, bool sent);

// The facts of a query's result column.
plan::Facts result_facts(plan::ColumnType type);

// Null if only the author could give an example.
Json example_of(const std::string& name, const plan::Facts& facts);

}  // namespace svc::emit
