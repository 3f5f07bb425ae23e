// Keys of a contract as databases and other languages call them.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// What to write instead of `key` in a part of the contract ("field", "access block"). Empty where
// nobody knows.
std::string instead_of_key(std::string_view part, std::string_view key);

}  // namespace svc::contract
