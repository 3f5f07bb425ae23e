// Fields that look as if they had been given another name.
#pragma once

#include <optional>
#include <string>

#include "diag/finding.hpp"

namespace svc::devapi {

// A warning MAYBE_RENAMED for each field that `live` has not, where a field of the same type that
// `live` has is gone from the same entity, and no `renamedFrom` says so. Nothing if nothing is
// live. Both are valid contracts.
void suggest_renames(const std::optional<std::string>& live, const std::string& contract,
                     diag::Findings& findings);

}  // namespace svc::devapi
