// Checks pages against the columns of proved queries.
#pragma once

#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

// Finding UNKNOWN_FIELD for a block that names a column which its query does not have. The columns
// of a query that was not proved are unknown, so blocks over it are not checked.
void check_query_columns(const model::Model& model, const plan::Plan& plan,
                         diag::Findings& findings);

}  // namespace svc::pipeline
