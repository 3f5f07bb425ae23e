// Checks values against a JSON Schema, as far as contracts use it. Source: JSON Schema 2020-12, the
// keywords of its vocabularies for objects, lists, numbers and texts; `format` and unknown keywords
// have no effect.
#pragma once

#include <string>

#include "json/value.hpp"

namespace svc::json {

// Why the value does not fit, as a sentence that names its place ("/items/0 must be a string.");
// empty if it fits. The schema is valid: a keyword with an invalid value is ignored.
std::string misfit(const Value& value, const Value& schema);

}  // namespace svc::json
