// The table of keys as a JSON Schema (draft 2020-12), for editors and other tools.
#pragma once

#include <string>

#include "contract/keys.hpp"

namespace svc::contract {

// What passes it has no finding of check_shape, and the other way round. Same table, same bytes.
std::string json_schema(const Shape& root);

}  // namespace svc::contract
