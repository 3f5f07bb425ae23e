// Full-text search of an entity: the words of its rows, and a function that finds rows by them.
#pragma once

#include <optional>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Nothing if the entity has no `search`. A condition with an operator that could tell of hidden
// rows is never asked before the policy, so no index serves it to a caller. svc.<entity>_search()
// asks both at once with the owner's rights; whoever calls it reads the rows it names under the
// policy again.
std::vector<Routine> plan_search(const model::Model& model, const model::Entity& entity);
std::optional<ServedSearch> serve_search(const model::Model& model, const model::Entity& entity,
                                         const std::vector<ServedColumn>& columns);

}  // namespace svc::plan
