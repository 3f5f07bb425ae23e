// The options of an input of a form.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "page/visit.hpp"

namespace svc::page {

using Options = std::vector<std::pair<std::string, std::string>>;  // id and name

// The options of a field of kind ref or user. `now`: the chosen id, which is always among them.
// `more`: there are others.
Task<Options> read_options(Visit& visit, const Field& field, const std::string& now, bool& more);

}  // namespace svc::page
