// One function or workflow as a definition: the tree of its steps, their texts, their settings.
#pragma once

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Fill in `definition`, `texts` and `runs_as`.
void define(const model::Model& model, const Plan& plan, const model::Function& in,
            PlannedFlow& out);
void define(const model::Model& model, const Plan& plan, const model::Workflow& in,
            PlannedFlow& out);

}  // namespace svc::plan
