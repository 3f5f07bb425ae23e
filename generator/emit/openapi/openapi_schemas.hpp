// Schemas of an app's own rows, bodies and results: "product", "product.create", "query.….params".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

void put_entity_schemas(const plan::Plan& plan, const plan::ServedEntity& entity, Json& schemas);
void put_query_schemas(const plan::Plan& plan, const plan::Query& query, Json& schemas);

// The schema of a request that creates a row.
Json create_schema(const plan::Plan& plan, const plan::ServedEntity& entity);
Json update_schema(const plan::Plan& plan, const plan::ServedEntity& entity);
Json transition_schema(const plan::ServedEntity& entity);

Json object_of(Json properties, Json required);
// Removes the example if a required member is missing: only the author could give an example then.
Json with_example(Json schema, Json example);
// {"$ref": "#/components/<kind>/<name>"}
Json reference(const char* kind, const std::string& name);
// The entity to which the link leads.
const plan::ServedEntity& target_of(const plan::Plan& plan, const plan::ServedLink& link);
// reports.top_products, of reports/top_products
std::string query_id(const plan::Query& query);
// The names of principals in contracts: guest, clerk, org:owner.
std::vector<std::string> principal_words(const plan::Plan& plan, std::uint64_t bits);

}  // namespace svc::emit
