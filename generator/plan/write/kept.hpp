// Deleted rows (softDelete) and the history of rows (audit). runtime-support/schema/history.sql has
// the tables and the functions of the triggers.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// In schema svc. $1 the id; gives the row, or raises SV404, SV403, or why it has no place any more.
std::string restore_function_name(const model::Entity& entity);

// "order_kept", the trigger that keeps deleted rows.
std::string keeping_trigger_name(const std::string& table);

std::vector<Routine> plan_kept(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
