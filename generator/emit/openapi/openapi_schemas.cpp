#include "emit/openapi/openapi_schemas.hpp"

#include "emit/openapi/openapi_values.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

using plan::kEveryone;

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

// The schema of a link: one row or none, or many rows, with some columns.
Json linked(const Plan& plan, const plan::ServedLink& link) {
    Json row = reference("schemas", target_of(plan, link).name + ".part");
    if (link.kind == plan::ServedLink::Kind::many)
        return {{"type", "array"}, {"items", std::move(row)}};
    return {{"anyOf", Json::array({std::move(row), {{"type", "null"}}})}};
}

// The schema of a row with some columns.
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
        "The columns that `select` asked for, and linked rows under the names of their links; or "
        "the columns that the creator sent and may not read.";
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

// Removed columns are not described, and an old row may lack columns that are required now.
Json history_schema(const ServedEntity& entity) {
    const Json row = {
        {"anyOf", Json::array({reference("schemas", entity.name + ".part"), {{"type", "null"}}})}};
    const Json maybe_text = {{"type", Json::array({"string", "null"})}};
    const Json entry = object_of(
        {{"at", {{"type", "string"}, {"format", "date-time"}}},
         {"actorId", maybe_text},
         {"event", {{"enum", Json::array({"created", "updated", "deleted", "restored"})}}},
         {"transition", maybe_text},
         {"old", row},
         {"new", row}},
        Json::array({"at", "actorId", "event", "transition", "old", "new"}));
    return object_of({{"ok", {{"const", true}}},
                      {"history", {{"type", "array"}, {"items", entry}}},
                      {"hasMore", {{"type", "boolean"}}},
                      {"nextCursor", maybe_text}},
                     Json::array({"ok", "history", "hasMore", "nextCursor"}));
}

}  // namespace

void put_entity_schemas(const Plan& plan, const ServedEntity& entity, Json& schemas) {
    schemas[entity.name] = row_schema(plan, entity);
    schemas[entity.name + ".part"] = part_schema(plan, entity);
    schemas[entity.name + ".rows"] = rows_schema(entity);
    schemas[entity.name + ".create"] = create_schema(plan, entity);
    schemas[entity.name + ".update"] = update_schema(plan, entity);
    if (entity.audit) schemas[entity.name + ".history"] = history_schema(entity);
    if (!entity.lifecycle_field.empty()) {
        schemas[entity.name + ".transition"] = transition_schema(entity);
    }
}

}  // namespace svc::emit
