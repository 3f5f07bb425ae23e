// The policy for reading as conditions of the server, for feeds. Feeds have the row and its
// viewers, and ask the database only if the policy reads other rows.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

ReadDecision plan_read_decision(const model::Model& model, const model::Entity& entity,
                                const std::vector<ServedColumn>& columns);

}  // namespace svc::plan
