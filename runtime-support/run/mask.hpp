// Secrets that were sent along are not recorded, wherever an answer shows them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::run {

// Each secret becomes ***, as it is and as JSON writes it. One of less than four bytes stays: it
// would be found in what is no secret.
std::string masked(std::string text, const std::vector<std::string>& secrets);

}  // namespace svc::run
