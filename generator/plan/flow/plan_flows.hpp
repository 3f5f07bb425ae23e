// Functions and workflows of the model as definitions. Named queries must have their texts by then.
#pragma once

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

void plan_flows(const model::Model& model, Plan& plan);

}  // namespace svc::plan
