#include "emit/openapi/openapi_flows.hpp"

#include "emit/fill.hpp"
#include "emit/openapi/openapi_paths.hpp"
#include "emit/openapi/openapi_schemas.hpp"
#include "emit/openapi/openapi_values.hpp"

namespace svc::emit {
namespace {

using model::FlowType;

Json nullable(Json schema) {
    if (schema.empty()) return schema;  // anything
    return {{"anyOf", Json::array({std::move(schema), {{"type", "null"}}})}};
}

Json scalar_schema(model::ExprType type) {
    using model::ExprType;
    switch (type) {
        case ExprType::boolean:
            return {{"type", "boolean"}};
        case ExprType::integer:
            return {{"type", "integer"}};
        case ExprType::decimal:
            return {{"type", "number"}};
        case ExprType::date:
            return {{"type", "string"}, {"format", "date"}};
        case ExprType::timestamp:
            return {{"type", "string"}, {"format", "date-time"}};
        case ExprType::uuid:
            return {{"type", "string"}, {"format", "uuid"}};
        case ExprType::tags:
            return {{"type", "array"}, {"items", {{"type", "string"}}}};
        case ExprType::text:
        case ExprType::time:
        case ExprType::duration:
            return {{"type", "string"}};
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            break;
    }
    return Json::object();
}

Json result_schema(const plan::Plan& plan, const FlowType& type) {
    switch (type.kind) {
        case FlowType::Kind::row:
            return reference("schemas", plan.entities[type.entity].name + ".part");
        case FlowType::Kind::list:
            return {{"type", "array"}, {"items", result_schema(plan, type.element.front())}};
        case FlowType::Kind::object:
            break;
        case FlowType::Kind::scalar:
            return scalar_schema(type.type);
    }
    Json properties = Json::object();
    Json required = Json::array();
    for (const model::FlowMember& member : type.members) {
        properties[member.name] = nullable(result_schema(plan, member.type));
        required.push_back(member.name);
    }
    return object_of(std::move(properties), std::move(required));
}

Json sent_schema(const plan::Plan& plan, const plan::PlannedFlow& flow) {
    Json properties = Json::object(), required = Json::array(), example = Json::object();
    for (const plan::QueryParam& param : flow.params) {
        properties[param.name] = value_schema(param.facts, plan.currency, true);
        if (param.required) required.push_back(param.name);
        Json known = example_of(param.name, param.facts);
        if (!known.is_null()) example[param.name] = std::move(known);
    }
    const bool optional = required.empty();
    Json params = object_of(std::move(properties), std::move(required));
    params["additionalProperties"] = false;
    return object_of({{"params", with_example(std::move(params), std::move(example))}},
                     optional ? Json::array() : Json::array({"params"}));
}

void put_function(const plan::Plan& plan, const plan::PlannedFlow& flow, const Json& answers,
                  Json& paths, Json& schemas) {
    const std::string name = "function." + flow.name;
    schemas[name + ".params"] = sent_schema(plan, flow);
    const Json result =
        flow.gives ? nullable(result_schema(plan, *flow.gives)) : Json({{"type", "null"}});
    schemas[name + ".result"] =
        object_of({{"ok", {{"const", true}}}, {"result", result}}, Json::array({"ok", "result"}));
    kainjow::mustache::data data;
    data["name"] = flow.name;
    data["optional"] = !schemas[name + ".params"].contains("required");
    Json items = fill_json("openapi_function.json.mustache", data);
    for (auto& [path, item] : items.items()) {
        item["post"]["x-svc-roles"] = flow.who;
        paths[path] = path_item(item, answers);
    }
}

}  // namespace

void put_flows(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas) {
    if (plan.flows.all.empty()) return;
    for (const plan::PlannedFlow& flow : plan.flows.all) {
        if (!flow.workflow) put_function(plan, flow, answers, paths, schemas);
    }
    const kainjow::mustache::data none;
    schemas.update(fill_json("openapi_flow_schemas.json.mustache", none));
    const Json fixed = fill_json("openapi_flows.json.mustache", none);
    for (const auto& [path, item] : fixed.items()) paths[path] = path_item(item, answers);
}

}  // namespace svc::emit
