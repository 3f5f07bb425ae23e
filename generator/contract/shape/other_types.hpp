// Names of field types in databases and other languages.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// The settings of a field for a type of another system: "varchar(300)" is "type": "string", "max":
// 300. Empty if it is not known.
std::string instead_of_type(std::string_view type);

}  // namespace svc::contract
