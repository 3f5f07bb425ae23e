// A value against the table of keys.
#pragma once

#include "contract/keys.hpp"
#include "contract/value.hpp"

namespace svc::contract {

// Findings UNKNOWN_KEY, MISSING_KEY, WRONG_TYPE, UNKNOWN_VALUE, BAD_NAME and the warning
// NOT_RUNNING_YET, of the whole tree below `object`.
void check_shape(const Value& object, const Shape& shape, diag::Findings& findings);

// [a-z][a-z0-9_]*, at most 48 bytes.
bool is_identifier(std::string_view name);

}  // namespace svc::contract
