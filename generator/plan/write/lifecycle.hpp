// Transitions of a lifecycle: one function an entity, which looks at the row with the owner's
// rights, asks whether the caller may, makes the transition, and returns the row. It returns no row
// if the row does not exist or is not visible.
#pragma once

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// 'placed', 'paid': the states that the transition leaves.
std::string state_list(const model::Transition& transition);

std::string transition_function_name(const model::Entity& entity);
Routine plan_transitions(const model::Model& model, const model::Entity& entity);

// The function for steps that run as the system: they may move every row that the transition's own
// conditions allow.
std::string move_function_name(const model::Entity& entity);
Routine plan_moves(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
