// Model to plan: the last stage that decides anything.
#pragma once

#include <optional>
#include <string>

#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

struct PlanResult {
    std::optional<Plan> plan;
    diag::Findings findings;
};

// `contract_hash`: SHA-256 of the contract's text, hex.
PlanResult make_plan(const model::Model& model, const std::string& contract_hash);

// Findings TOO_MANY_PERSONAS and TOO_MANY_FIELDS.
void check_limits(const model::Model& model, diag::Findings& findings);
void plan_seeds(const model::Model& model, Plan& plan);
void plan_queries(const model::Model& model, Plan& plan);

}  // namespace svc::plan
