// Tables, columns, constraints and indexes of entities.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

Table plan_table(const model::Model& model, const model::Entity& entity);
// The constraints of the same table, for the runtime: a violation names the field and the reason.
std::vector<ServedConstraint> served_constraints(const model::Model& model,
                                                 const model::Entity& entity);
// A page lists the newest of all rows first, so an index has the rows by created_at and id: without
// it each visit would sort the whole table.
bool newest_first(const model::Model& model, const model::Entity& entity);
// Sequences of `sequence` fields; they stand before the tables.
std::vector<Routine> plan_sequences(const model::Entity& entity);

// Columns of each unique key, beside the id.
std::vector<std::vector<std::string>> uniques(const model::Entity& entity);

// SQL text that is different for every state of a row: the transaction that wrote it, and the time.
// The transaction number alone would repeat in a restored database. The year has four digits, so no
// sign is needed between them. As runtime-support/data/etag.cpp builds it.
std::string row_version(const std::string& prefix);

// The SQL of "now()" for a datetime and "today()" for a date, in the app's time zone.
std::string clock_sql(const model::Model& model, model::FieldType type);
// The SQL of a column's default; empty if there is none.
std::string default_sql(const model::Model& model, const model::Entity& entity,
                        const model::Field& field);
std::string sequence_name(const model::Entity& entity, const model::Field& field);

}  // namespace svc::plan
