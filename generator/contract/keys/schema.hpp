// The table of keys as a JSON Schema (draft 2020-12), for editors and other tools.
#pragma once

#include <string>

#include "contract/keys/keys.hpp"

namespace svc::contract {

// A contract passes it exactly if check_shape has no finding. The output is deterministic.
std::string json_schema(const Shape& root);

}  // namespace svc::contract
