// Steps against what is known of queries once they are proved.
#pragma once

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

// What steps say of the rows of queries, which were JSON before: findings as of resolve(), and the
// model anew, where steps know their types. Queries that were not proved have no columns yet:
// nothing is said of them.
void resolve_query_rows(const contract::Contract& contract, const plan::Plan& plan,
                        model::Model& model, diag::Findings& findings);

}  // namespace svc::pipeline
