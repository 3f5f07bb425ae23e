// Converts plan values to the data of templates. Strings that end in _literal are C++ literals with
// quotes.
#pragma once

#include <kainjow/mustache.hpp>

#include "plan/plan.hpp"

namespace svc::emit {

using Data = kainjow::mustache::data;

// entity.hpp, entity.cpp
Data entity_data(const plan::Plan& plan, const plan::ServedEntity& entity);
// Adds the links of an entity to its data.
void add_links(const plan::Plan& plan, const plan::ServedEntity& entity, Data& out);
// The conditions that decide without the database whether a row may be read.
void add_read_decision(const plan::Plan& plan, const plan::ReadDecision& read_decision, Data& out);
// Its statements.
void add_statements(const plan::ServedEntity& entity, Data& out);
// queries/<name>.hpp, queries/<name>.cpp
Data query_data(const plan::Plan& plan, const plan::Query& query);
// app::corner_shop::queries::reports, of reports/top_products
std::string query_namespace(const plan::Plan& plan, const plan::Query& query);
// flows.cpp
Data flows_data(const plan::Plan& plan);
// topics.cpp
Data topics_data(const plan::Plan& plan);
// client/index.ts, client/schema.ts
Data client_data(const plan::Plan& plan);
// main.cpp, routes.cpp, app.principals.hpp
Data app_data(const plan::Plan& plan);

}  // namespace svc::emit
