// The proof of one query: PostgreSQL describes it, and its calls, columns and fields are checked
// against lists and masks.
#pragma once

#include "plan/plan.hpp"
#include "query/read/read.hpp"
#include "query/scratch/scratch_connection.hpp"

namespace svc::query {

// Gives `query`, which is one of the plan's, the columns of its result. The connection has the
// tables.
void prove_one(const plan::Plan& plan, plan::Query& query, const Read& read,
               ScratchConnection& scratch, diag::Findings& findings);

}  // namespace svc::query
