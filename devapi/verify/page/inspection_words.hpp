// What a browser said of a page, in words for its author.
#pragma once

#include <string>
#include <vector>

#include "verify/page/inspection.hpp"

namespace svc::devapi::verification {

// Each with page, visitor, width and place. `reaches_all`: the clone has all that the app reads;
// where not, requests may fail.
std::vector<std::string> findings_of(const Inspection& inspected, bool reaches_all);

}  // namespace svc::devapi::verification
