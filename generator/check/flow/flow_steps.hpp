// Visits the steps of functions and workflows.
#pragma once

#include <functional>
#include <vector>

#include "model/model.hpp"

namespace svc::check {

// Visits every step. The steps of a branch come after the step that has the branch.
void each_step(const std::vector<model::FlowStep>& steps,
               const std::function<void(const model::FlowStep&)>& visit);

}  // namespace svc::check
