// Full-text search of an entity: the words of its rows, and a function that finds rows by them.
#pragma once

#include <optional>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Nothing if the entity has no `search`. PostgreSQL never evaluates an operator that could reveal
// hidden rows before the policy, so no index serves such a condition to a caller.
// svc.<entity>_search() evaluates both with the owner's rights; its caller then reads the named
// rows under the policy again.
std::vector<Routine> plan_search(const model::Model& model, const model::Entity& entity);
std::optional<ServedSearch> serve_search(const model::Model& model, const model::Entity& entity,
                                         const std::vector<ServedColumn>& columns);

}  // namespace svc::plan
