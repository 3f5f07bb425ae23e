// Full-text search of an entity: an index over the words of its fields, and a function that finds
// rows through it.
#pragma once

#include <optional>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Nothing where the entity has no `search`.
std::optional<TableObject> plan_search_index(const model::Model& model,
                                             const model::Entity& entity);
// A condition with an operator that could tell of hidden rows is never asked before the policy, so
// no index serves it to a caller. This function asks both at once with the owner's rights; whoever
// calls it reads the rows it names under the policy again.
std::optional<Routine> plan_search_function(const model::Model& model, const model::Entity& entity);
std::optional<ServedSearch> serve_search(const model::Model& model, const model::Entity& entity,
                                         const std::vector<ServedColumn>& columns);

}  // namespace svc::plan
