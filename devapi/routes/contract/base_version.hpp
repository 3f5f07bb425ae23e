// Compares the version that a change started from with the live one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "calls/context.hpp"
#include "diag/finding.hpp"
#include "http/fields.hpp"

namespace svc::devapi {

// Member `baseVersion`: none if it is absent; 0: nothing was live.
std::optional<int> base_version_of(Fields& fields);

// False: another version is live; the answer is then 409 STALE_CONTRACT. A change calls this while
// it holds the project's lease. `live` is none before the first apply.
bool is_live_one(Context& context, const Request& request, int base,
                 const std::optional<LiveContract>& live, Response& response);

// The parts of the live contract that `contract`, which named no base, would revert; empty if none.
// The text need not be a contract.
diag::Findings not_based(Context& context, const Request& request, const LiveContract& live,
                         const std::string& contract);

}  // namespace svc::devapi
