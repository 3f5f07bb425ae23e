// Converts linked rows from PostgreSQL's JSON to the API's JSON, in the form that rows of a list
// have.
#pragma once

#include <string>
#include <string_view>

#include "data/select/selection.hpp"

namespace svc::data::select {

// `json` is what selecting() gave for `selected`, empty if it gave null: an object, or an array
// of them with one more than may be shown where there are more; for what was too large [] in place
// of an object, and [null]. True if it was cut.
bool append_nested(std::string& out, const Selected& selected, std::string_view json);

}  // namespace svc::data::select
