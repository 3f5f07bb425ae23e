// Topics of the contract: the form of their names, and who may use them, as conditions of the
// server over the parts of a name and the caller.
#pragma once

#include <vector>

#include "diag/finding.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Finding BAD_TOPIC for a condition that the name and the caller do not decide.
std::vector<ServedTopic> plan_topics(const model::Model& model, diag::Findings& findings);

}  // namespace svc::plan
