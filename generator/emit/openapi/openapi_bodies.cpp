#include <algorithm>

#include "emit/openapi/openapi_schemas.hpp"
#include "emit/openapi/openapi_values.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

using plan::kEveryone;

using plan::is_owner;

void put_sent(const Plan& plan, const ServedColumn& column, std::uint64_t writers, Json& properties,
              Json& example) {
    Json value = value_schema(column.facts, plan.currency, true);
    if (is_owner(column)) {
        value["description"] =
            "The caller's own id, or omitted. A server that asserts no user names "
            "the owner of the row.";
    } else if (writers != kEveryone) {
        value["x-svc-writers"] = principal_words(plan, writers);
    }
    properties[column.name] = std::move(value);
    if (is_owner(column) || (writers != kEveryone && !column.required)) return;
    Json known = example_of(column.name, column.facts);
    if (!known.is_null()) example[column.name] = std::move(known);
}

}  // namespace

Json create_schema(const Plan& plan, const ServedEntity& entity) {
    Json properties = Json::object(), required = Json::array(), example = Json::object();
    for (const ServedColumn& column : entity.columns) {
        if (column.creators == 0 && !is_owner(column)) continue;
        if (column.required) required.push_back(column.name);
        put_sent(plan, column, column.creators, properties, example);
    }
    Json out = object_of(std::move(properties), std::move(required));
    out["additionalProperties"] = false;
    return with_example(std::move(out), std::move(example));
}

Json update_schema(const Plan& plan, const ServedEntity& entity) {
    Json properties = Json::object(), example = Json::object();
    for (const ServedColumn& column : entity.columns) {
        if (column.updaters == 0) continue;
        Json one = Json::object();
        put_sent(plan, column, column.updaters, properties, one);
        properties[column.name].erase("default");
        if (example.empty()) example = std::move(one);
    }
    Json out = object_of(std::move(properties), Json::array());
    out["additionalProperties"] = false;
    return with_example(std::move(out), std::move(example));
}

Json transition_schema(const ServedEntity& entity) {
    Json names = Json::array(), states = Json::array();
    for (const plan::ServedTransition& transition : entity.transitions) {
        names.push_back(transition.name);
        if (std::find(states.begin(), states.end(), transition.to) == states.end()) {
            states.push_back(transition.to);
        }
    }
    Json by_name = object_of({{"transition", {{"enum", names}}}}, Json::array({"transition"}));
    Json by_state = object_of({{"to", {{"enum", std::move(states)}}}}, Json::array({"to"}));
    Json out = {{"anyOf", Json::array({std::move(by_name), std::move(by_state)})}};
    if (!names.empty()) out["examples"] = Json::array({{{"transition", names.front()}}});
    return out;
}

void put_query_schemas(const Plan& plan, const plan::Query& query, Json& schemas) {
    Json properties = Json::object(), required = Json::array(), example = Json::object();
    for (const plan::QueryParam& param : query.params) {
        properties[param.name] = value_schema(param.facts, plan.currency, true);
        if (param.required) required.push_back(param.name);
        Json known = example_of(param.name, param.facts);
        if (!known.is_null()) example[param.name] = std::move(known);
    }
    Json params = object_of(std::move(properties), std::move(required));
    params["additionalProperties"] = false;
    const std::string name = "query." + query_id(query);
    const bool optional = !params.contains("required");
    Json body = object_of({{"params", with_example(std::move(params), std::move(example))}},
                          optional ? Json::array() : Json::array({"params"}));
    schemas[name + ".params"] = std::move(body);

    Json columns = Json::object(), names = Json::array();
    for (const plan::QueryColumn& column : query.columns) {
        columns[column.name] = value_schema(result_facts(column.type), plan.currency, false);
        names.push_back(column.name);
    }
    Json result = {{"allOf", Json::array({reference("schemas", "Result")})}};
    result["properties"] = {{"rows", {{"items", object_of(std::move(columns), std::move(names))}}}};
    schemas[name + ".result"] = std::move(result);
}

}  // namespace svc::emit
