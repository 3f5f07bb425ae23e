// A JSON value of a filter as a parameter of its column's type.
#pragma once

#include "data/query_text.hpp"
#include "json/value.hpp"
#include "svc/entity.hpp"

namespace svc::data::filter {

// PostgreSQL's text form; 22P02 or 22003 with the field where the value does not fit. A string that
// reads as the column's type passes, as it would in SQL: "5" for a number.
Result<std::string> column_value(const Column& column, const json::Value& value);

}  // namespace svc::data::filter
