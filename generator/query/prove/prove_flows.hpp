// The statements of functions and workflows, proved as named queries are: what does not prepare
// against the schema that the contract gives is the compiler's fault, and shows at check.
#pragma once

#include <string_view>

#include "diag/finding.hpp"
#include "plan/plan.hpp"
#include "query/prove/prove.hpp"

namespace svc::query {

// Finding STEP_NOT_PROVED. `values` is runtime-support/schema/run/flow_values.sql, whose functions
// the statements call. Without a database nothing is proved.
void prove_flows(const plan::Plan& plan, const Database& database, std::string_view values,
                 diag::Findings& findings);

}  // namespace svc::query
