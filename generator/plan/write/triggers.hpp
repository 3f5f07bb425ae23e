// Before-write triggers: checks that hold for every writer and every way to write.
//
// The guard runs with the writer's own rights: it keeps made and immutable columns and the
// lifecycle's field. The rules run with the owner's rights, because what they look at must not
// depend on what the writer may see.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

std::vector<Routine> plan_guard(const model::Entity& entity);
// Statements of a trigger that ask every rule.
std::string rules_body(const model::Model& model, const model::Entity& entity);
std::vector<Routine> plan_rules(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
