// Definitions that runs under way hold: the statements of an earlier contract, tried against the
// tables that another one would leave.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/finding.hpp"
#include "plan/plan.hpp"
#include "query/prove/prove.hpp"

namespace svc::query {

struct LiveFlow {
    std::string workflow;
    std::int64_t runs = 0;   // that live and hold it
    std::string definition;  // JSON text, as plan::PlannedFlow has it
};

// Warning CONTRACT_CHANGED of each whose steps would no longer work. `tables` are those that will
// be there, with columns that no contract names any more; routines and flows are the plan's.
// `values` as of prove_flows(). Throws std::runtime_error where `database` does not answer.
void prove_live_flows(const plan::Plan& plan, const std::vector<plan::Table>& tables,
                      const std::vector<LiveFlow>& flows, const Database& database,
                      std::string_view values, diag::Findings& findings);

}  // namespace svc::query
