// Pages against what is known of queries once they are proved.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

// Finding UNKNOWN_FIELD where a block names a column that its query has not. Queries that were not
// proved have no columns yet: nothing is said of them.
void check_query_columns(const model::Model& model, const plan::Plan& plan,
                         diag::Findings& findings);

}  // namespace svc::pipeline
