// Compares the exposure of a contract with that of the live one.
#pragma once

#include <optional>
#include <string>

#include "pipeline.hpp"

namespace svc::devapi {

// As JSON text, {changes, widened, narrowed, changed, summary}; "null" if nothing is live, or if
// the live contract is no longer accepted and cannot be compared.
std::string exposure_change(const std::optional<std::string>& live,
                            const pipeline::Checked& checked);

}  // namespace svc::devapi
