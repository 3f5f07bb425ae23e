// Tables, columns, constraints and indexes of entities.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

Table plan_table(const model::Model& model, const model::Entity& entity);
// Of the same table, for the runtime: a violation names the field and the reason.
std::vector<ServedConstraint> served_constraints(const model::Model& model,
                                                 const model::Entity& entity);
// Sequences behind `sequence` fields; they stand before the tables.
std::vector<Routine> plan_sequences(const model::Entity& entity);

// The SQL of a column's default; empty where there is none.
std::string default_sql(const model::Model& model, const model::Entity& entity,
                        const model::Field& field);
std::string sequence_name(const model::Entity& entity, const model::Field& field);

}  // namespace svc::plan
