// What a contract exposes beside the one that is live.
#pragma once

#include <optional>
#include <string>

#include "pipeline.hpp"

namespace svc::devapi {

// As JSON text, {changes, widened, narrowed, changed, summary}; "null" if nothing is live, or
// where what is live is no longer accepted, so that there is nothing to compare with.
std::string exposure_change(const std::optional<std::string>& live,
                            const pipeline::Checked& checked);

}  // namespace svc::devapi
