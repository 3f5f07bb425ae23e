#include "emit/openapi_schemas.hpp"

#include <algorithm>

#include "emit/openapi_values.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

bool is_owner(const ServedColumn& column) {
    return column.name == "user_id" || column.name == "org_id";
}

Json object_of(Json properties, Json required) {
    Json out = {{"type", "object"}};
    if (!required.empty()) out["required"] = std::move(required);
    out["properties"] = std::move(properties);
    return out;
}

// Without what only its author could say; an object that lacks a required member is no example.
Json with_example(Json schema, Json example) {
    bool whole = true;
    for (const Json& name : schema.value("required", Json::array())) {
        whole = whole && example.contains(name.get<std::string>());
    }
    if (whole) schema["examples"] = Json::array({std::move(example)});
    return schema;
}

Json row_schema(const Plan& plan, const ServedEntity& entity) {
    Json properties = Json::object(), required = Json::array(), example = Json::object();
    for (const ServedColumn& column : entity.columns) {
        Json value = value_schema(column.facts, plan.currency, false);
        if (column.creators == 0 && column.updaters == 0) value["readOnly"] = true;
        if (column.readers == kEveryone) {
            required.push_back(column.name);
        } else {
            value["x-svc-readers"] = principal_words(plan, column.readers);
        }
        properties[column.name] = std::move(value);
        Json known = example_of(column.name, column.facts);
        if (!known.is_null() || column.facts.nullable) example[column.name] = std::move(known);
    }
    Json out = object_of(std::move(properties), std::move(required));
    out["title"] = entity.title;
    return with_example(std::move(out), std::move(example));
}

// One row or none, or many, told in part.
Json linked(const Plan& plan, const plan::ServedLink& link) {
    Json row = reference("schemas", target_of(plan, link).name + ".part");
    if (link.kind == "many") return {{"type", "array"}, {"items", std::move(row)}};
    return {{"anyOf", Json::array({std::move(row), {{"type", "null"}}})}};
}

// A row of which not everything is told.
Json part_schema(const Plan& plan, const ServedEntity& entity) {
    Json properties = Json::object();
    for (const ServedColumn& column : entity.columns) {
        properties[column.name] = reference("schemas", entity.name + "/properties/" + column.name);
    }
    for (const plan::ServedLink& link : entity.links) {
        Json value = linked(plan, link);
        if (properties.contains(link.name)) {
            value = {{"anyOf", Json::array({properties[link.name], std::move(value)})}};
        }
        properties[link.name] = std::move(value);
    }
    Json out = object_of(std::move(properties), Json::array());
    out["title"] = entity.title + ": some columns";
    out["description"] =
        "What `select` asked for, with the rows it leads to under the names of links; or what its "
        "creator sent and may not read.";
    return out;
}

Json rows_schema(const ServedEntity& entity) {
    const Json either = {{"anyOf", Json::array({reference("schemas", entity.name),
                                                reference("schemas", entity.name + ".part")})}};
    Json properties = {
        {"ok", {{"const", true}}},
        {"rows", {{"type", "array"}, {"items", either}}},
        {"rowCount", {{"type", "integer"}}},
        {"fields", {{"type", "array"}, {"items", reference("schemas", "Field")}}},
        {"truncated", {{"type", "boolean"}}},
        {"hasMore", {{"type", "boolean"}}},
        {"nextCursor", {{"type", Json::array({"string", "null"})}}},
        {"count", {{"type", "integer"}}},
        {"estimated", {{"type", "boolean"}}},
        {"linksTruncated", {{"type", "boolean"}}},
    };
    return object_of(std::move(properties), Json::array({"ok", "rows", "rowCount"}));
}

void put_sent(const Plan& plan, const ServedColumn& column, std::uint64_t writers, Json& properties,
              Json& example) {
    Json value = value_schema(column.facts, plan.currency, true);
    if (is_owner(column)) {
        value["description"] =
            "The caller's own, or left out; a server that asserts nobody names "
            "whose row it is.";
    } else if (writers != kEveryone) {
        value["x-svc-writers"] = principal_words(plan, writers);
    }
    properties[column.name] = std::move(value);
    if (is_owner(column) || (writers != kEveryone && !column.required)) return;
    Json known = example_of(column.name, column.facts);
    if (!known.is_null()) example[column.name] = std::move(known);
}

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

}  // namespace

void put_entity_schemas(const Plan& plan, const ServedEntity& entity, Json& schemas) {
    schemas[entity.name] = row_schema(plan, entity);
    schemas[entity.name + ".part"] = part_schema(plan, entity);
    schemas[entity.name + ".rows"] = rows_schema(entity);
    schemas[entity.name + ".create"] = create_schema(plan, entity);
    schemas[entity.name + ".update"] = update_schema(plan, entity);
    if (!entity.lifecycle_field.empty()) {
        schemas[entity.name + ".transition"] = transition_schema(entity);
    }
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

    Json columns = Json::object(), told = Json::array();
    for (const plan::QueryColumn& column : query.columns) {
        columns[column.name] = value_schema(result_facts(column.type), plan.currency, false);
        told.push_back(column.name);
    }
    Json result = {{"allOf", Json::array({reference("schemas", "Result")})}};
    result["properties"] = {{"rows", {{"items", object_of(std::move(columns), std::move(told))}}}};
    schemas[name + ".result"] = std::move(result);
}

Json reference(const char* kind, const std::string& name) {
    return {{"$ref", std::string("#/components/") + kind + "/" + name}};
}

const ServedEntity& target_of(const Plan& plan, const plan::ServedLink& link) {
    return *std::find_if(plan.entities.begin(), plan.entities.end(),
                         [&](const ServedEntity& each) { return each.cpp_value == link.target; });
}

std::string query_id(const plan::Query& query) {
    std::string id = query.name;
    std::replace(id.begin(), id.end(), '/', '.');
    return id;
}

std::vector<std::string> principal_words(const Plan& plan, std::uint64_t bits) {
    std::vector<std::string> all = {"guest", "signed_in", "consumer", "staff", "server"};
    for (const plan::ServedPersona& persona : plan.personas) all.push_back(persona.id);
    for (const std::string& role : plan.org_roles) all.push_back("org:" + role);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if ((bits >> i & 1) != 0) out.push_back(all[i]);
    }
    return out;
}

}  // namespace svc::emit
