// The expressions that stand in values of steps.
#pragma once

#include <functional>

#include "model/model.hpp"

namespace svc::check {

using ExprVisit = std::function<void(const model::Expr&)>;

void each_value(const model::FlowValue& value, const ExprVisit& visit);
// Of what the step does; neither of its conditions nor of steps in its branches.
void each_value(const model::FlowStep& step, const ExprVisit& visit);

}  // namespace svc::check
