// Checks steps against the columns of proved queries.
#pragma once

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::pipeline {

// Resolves the contract again with the columns of queries, which were JSON before: findings as in
// resolve(), and a model whose steps know the types. Queries that were not proved have no columns
// yet and are left out.
void resolve_query_rows(const contract::Contract& contract, const plan::Plan& plan,
                        model::Model& model, diag::Findings& findings);

}  // namespace svc::pipeline
