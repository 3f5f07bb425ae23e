// What a named query, a function or a workflow is asked with: a value for each parameter that such
// a one may well have.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::devapi::verification {

// For a parameter of this type.
nlohmann::json sensible_value(const model::Field& field);
// Of POST /queries/<name>.
std::string body_of(const model::Query& query);
// The same as literals of SQL, with commas between, in the order of $1…
std::string arguments_of(const model::Query& query, const plan::Query& planned);

}  // namespace svc::devapi::verification
