// A principal, or a list of principals and grants.
#pragma once

#include <string_view>
#include <vector>

#include "contract/read/reader.hpp"

namespace svc::contract {

// None if the key is absent.
std::vector<Grant> read_grants(const Reader& in, std::string_view key);

}  // namespace svc::contract
