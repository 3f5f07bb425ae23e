// File fields: who may put which file into a row, and who may read a file through a row.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// Refuses a file that its writer neither owns nor could read through the row before, as a reference
// to a row that is not there. Holds for every writer; none if the entity has no such field.
std::vector<Routine> plan_file_fields(const model::Model& model, const model::Entity& entity);

// svc.sees_file and svc.file_held over all tables. None if no entity has such a field: the
// database then has those of schema/files.sql, which say no.
std::vector<Routine> plan_file_readers(const model::Model& model);

}  // namespace svc::plan
