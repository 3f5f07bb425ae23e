// Names of the contract's objects in PostgreSQL: tables, their indexes and sequences share one
// namespace, the constraints of a table another.
#pragma once

#include "diag/finding.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Findings NAME_TOO_LONG beyond 63 bytes, which PostgreSQL would cut, and NAME_COLLISION.
void check_relations(const Plan& plan, diag::Findings& findings);

}  // namespace svc::plan
