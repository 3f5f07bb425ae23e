// Types of fields as databases and other languages call them.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// How a field says what is meant by "varchar(300)": "type": "string", "max": 300. Empty where
// nobody knows.
std::string instead_of_type(std::string_view type);

}  // namespace svc::contract
