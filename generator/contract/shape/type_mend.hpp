// What to write instead of a value of another type.
#pragma once

#include <string>
#include <string_view>

#include "contract/value.hpp"

namespace svc::contract {

// `wanted`: the type as the finding names it, "a list of names". Returns the fix with an example.
std::string type_mend(const Value& value, std::string_view wanted);

}  // namespace svc::contract
