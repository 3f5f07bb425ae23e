// The functions that authors and developers may call, one by one: for suggestions.
#pragma once

#include <string>
#include <vector>

namespace svc::query {

// Sorted.
const std::vector<std::string>& functions();

}  // namespace svc::query
