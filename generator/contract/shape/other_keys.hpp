// Names of contract keys in databases and other languages.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// The key to write instead of `key` in a part of the contract ("field", "access block"). Empty if
// none is known.
std::string instead_of_key(std::string_view part, std::string_view key);

}  // namespace svc::contract
