// Which version a change says that it started from, held against the one that is live.
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

// False: another one is live, answered 409 STALE_CONTRACT. To be asked under the project's lease
// where something is changed then. `live` is none before the first apply.
bool is_live_one(Context& context, const Request& request, int base,
                 const std::optional<LiveContract>& live, Response& response);

// What `contract`, which named no base, takes back of the one that is live; empty if it takes
// nothing back. May be asked of text that is not a contract.
diag::Findings not_based(Context& context, const Request& request, const LiveContract& live,
                         const std::string& contract);

}  // namespace svc::devapi
