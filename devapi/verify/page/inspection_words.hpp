// What a browser found on a page, in words for the author of the contract.
#pragma once

#include <string>
#include <vector>

#include "verify/page/inspection.hpp"

namespace svc::devapi::verification {

// Each with page, visitor, width, place, and whether it is of the dark scheme. `reaches_all`: the
// clone has all rows that the app reads; if it has not, failed requests are no findings.
std::vector<std::string> findings_of(const Inspection& inspected, bool reaches_all);

}  // namespace svc::devapi::verification
