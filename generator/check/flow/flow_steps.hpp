// Walking over the steps of functions and workflows.
#pragma once

#include <functional>
#include <vector>

#include "model/model.hpp"

namespace svc::check {

// Every step, those in branches behind the one that they are branches of.
void each_step(const std::vector<model::FlowStep>& steps,
               const std::function<void(const model::FlowStep&)>& visit);

}  // namespace svc::check
