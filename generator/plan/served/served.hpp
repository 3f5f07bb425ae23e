// An entity as the generated server sees it: columns, statements, binds, routes.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

ServedEntity serve_entity(const model::Model& model, const model::Entity& entity);
std::vector<ServedLink> serve_links(const model::Model& model, const model::Entity& entity);
// `columns`: of the entity, as in serve_columns().
std::vector<ServedLook> serve_looks(const model::Model& model, const model::Entity& entity,
                                    const std::vector<ServedColumn>& columns);
std::vector<ServedColumn> serve_columns(const model::Model& model, const model::Entity& entity);
// The index of the column with this name.
std::size_t column_at(const std::vector<ServedColumn>& columns, const std::string& name);
std::vector<Route> serve_routes(const model::Model& model, const model::Entity& entity);
std::vector<ServedPersona> serve_personas(const model::Model& model);

// The five statements, the list and the binds of an entity whose columns are known.
void plan_statements(const model::Model& model, const model::Entity& entity, ServedEntity& served);

// The facts of a field, and of a column that the compiler adds, for documents.
Facts field_facts(const model::Model& model, const model::Field& field);
Facts made_facts(const std::string& name, model::FieldType type);
ServedFiles serve_files(const model::Files& files);

}  // namespace svc::plan
