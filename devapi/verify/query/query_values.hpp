// Arguments for named queries, functions and workflows: a plausible value for each parameter.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::devapi::verification {

// A value for a parameter of this type.
nlohmann::json sensible_value(const model::Field& field);
// The body of POST /queries/<name>.
std::string body_of(const model::Query& query);
// The arguments as SQL literals with commas, in the order of $1…
std::string arguments_of(const model::Query& query, const plan::Query& planned);

}  // namespace svc::devapi::verification
