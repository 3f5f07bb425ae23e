// The expressions in values of steps.
#pragma once

#include <functional>

#include "model/model.hpp"

namespace svc::check {

using ExprVisit = std::function<void(const model::Expr&)>;

void each_value(const model::FlowValue& value, const ExprVisit& visit);
// Visits the expressions of the step's action, not of its conditions or of steps in its branches.
void each_value(const model::FlowStep& step, const ExprVisit& visit);

}  // namespace svc::check
