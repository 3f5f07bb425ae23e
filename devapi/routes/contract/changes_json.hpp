// Differences between two contracts, in the form of answers.
#pragma once

#include <vector>

#include "calls/context.hpp"
#include "versions/contract_changes.hpp"

namespace svc::devapi {

// [{path, kind, was?, is?}], at most 50, then {path: "", kind: "more", count}. Values of seeds are
// left out for callers who may not read.
json changes_json(const std::vector<versions::ContractChange>& changes, const Caller& caller);

}  // namespace svc::devapi
