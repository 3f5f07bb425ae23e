// Finds fields and entities that seem to be renamed.
#pragma once

#include <optional>
#include <string>

#include "diag/finding.hpp"

namespace svc::devapi {

// Warns with MAYBE_RENAMED of each new field without `renamedFrom`, if a field of the same type has
// been removed from the same entity since `live`, and of each new entity, if one with the same
// fields has been removed. Nothing if nothing is live. Both are valid contracts.
void suggest_renames(const std::optional<std::string>& live, const std::string& contract,
                     diag::Findings& findings);

}  // namespace svc::devapi
