#include "emit/openapi/openapi.hpp"

#include <algorithm>

#include "emit/fill.hpp"
#include "emit/openapi/openapi_files.hpp"
#include "emit/openapi/openapi_flows.hpp"
#include "emit/openapi/openapi_hooks.hpp"
#include "emit/openapi/openapi_paths.hpp"
#include "emit/openapi/openapi_pay.hpp"
#include "emit/openapi/openapi_prune.hpp"
#include "emit/openapi/openapi_schemas.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::Plan;
using plan::ServedEntity;

Data named(const std::string& key, const std::string& value) {
    Data out;
    out[key] = value;
    return out;
}

Data document_data(const Plan& plan) {
    Data entities{Data::type::list}, personas{Data::type::list};
    for (const ServedEntity& entity : plan.entities)
        entities.push_back(named("table", entity.name));
    for (const plan::ServedPersona& persona : plan.personas) {
        if (!persona.signup) continue;
        Data one = named("id", persona.id);
        one["first"] = personas.is_empty_list();
        personas.push_back(one);
    }
    Data out;
    out["name"] = plan.app_name;
    out["first_table"] = plan.entities.empty() ? std::string("table") : plan.entities[0].name;
    out["min_password"] = std::to_string(plan.min_password);
    // As in the runtime: without passwords, or if addresses are confirmed, the sign-up continues by
    // mail.
    const bool by_link = plan.magic || plan.passkey;
    out["pending"] = plan.verify_email || !plan.password_sign_in;
    out["password"] = plan.password_sign_in;
    out["magic"] = plan.magic;
    out["passkey"] = plan.passkey;
    out["resets"] = plan.password_sign_in || by_link;
    out["signs_up"] = plan.password_sign_in || by_link;
    out["orgs"] = !plan.org_roles.empty();
    out["flows"] = !plan.flows.all.empty();
    out["files"] = has_files(plan);
    out["hooks"] = takes_hooks(plan) || takes_payments(plan);
    out["payments"] = takes_payments(plan);
    out["ai"] = plan.ai.present;
    out["connectors"] = !plan.connectors.empty();
    out["ai_output"] = std::to_string(plan.ai.max_output_tokens);
    out["has_signup_personas"] = personas.is_non_empty_list();
    out["entities"] = std::move(entities);
    out["signup_personas"] = std::move(personas);
    return out;
}

// Callers who may do it to some row at least, in the order of the matrix.
Json callers_of(const Json& cells, const std::string& operation) {
    Json out = Json::array();
    for (const auto& [caller, operations] : cells.items()) {
        const auto cell = operations.find(operation);
        if (cell != operations.end() && cell->value("rows", "none") != "none") {
            out.push_back(caller);
        }
    }
    return out;
}

Json roles_of(const ServedEntity& entity, const Json& cells, const std::string& operation) {
    if (operation == "history") return Json::array({"administrators", "server"});
    if (operation != "transition") return callers_of(cells, operation);
    Json out = Json::object();
    for (const plan::ServedTransition& transition : entity.transitions) {
        out[transition.name] = callers_of(cells, "transition " + transition.name);
    }
    return out;
}

Json cells_of(const Json& matrix, const ServedEntity& entity) {
    const auto entities = matrix.find("entities");
    if (entities == matrix.end()) return Json::object();
    for (const Json& each : *entities) {
        if (each["name"] == entity.name) return each["callers"];
    }
    return Json::object();
}

void of_other_database(Json& operation) {
    Json& answer = operation["answer"];
    if (answer["schema"] == "Deleted") answer["schema"] = "DeletedKey";
}

void put_table_paths(const ServedEntity& entity, const Json& matrix, const Json& answers,
                     Json& paths) {
    Data data = named("table", entity.name);
    data["title"] = entity.title;
    data["place"] = std::string(entity.external ? "ext/" : "");
    data["feeds"] = !entity.external;
    data["keys"] = !entity.keys.empty();
    data["lifecycle"] = !entity.lifecycle_field.empty();
    data["soft_delete"] = !entity.restore.name.empty();
    data["audit"] = entity.audit;
    Json items = fill_json("openapi_table.json.mustache", data);
    const Json cells = cells_of(matrix, entity);
    for (auto& [path, item] : items.items()) {
        for (auto& [method, operation] : item.items()) {
            if (method == "parameters") {
                if (entity.external) operation = Json::array({"key"});
                continue;
            }
            if (entity.external) of_other_database(operation);
            operation["tags"] = Json::array({entity.name});
            operation["x-svc-roles"] =
                roles_of(entity, cells, operation["operation"].get<std::string>());
            operation.erase("operation");
        }
        paths[path] = path_item(item, answers);
    }
}

void put_query_path(const plan::Query& query, const Json& answers, Json& paths) {
    Data data = named("name", query.name);
    data["id"] = query_id(query);
    data["writes"] = query.writes;
    Json items = fill_json("openapi_query.json.mustache", data);
    for (auto& [path, item] : items.items()) {
        Json& operation = item["post"];
        if (!query.description.empty()) operation["description"] = query.description;
        operation["x-svc-roles"] = query.who;
        paths[path] = path_item(item, answers);
    }
}

Json topics_of(const Plan& plan) {
    Json out = Json::array();
    const auto who = [](const std::optional<plan::TopicUse>& use) {
        return use ? use->words : "everyone";
    };
    for (const plan::ServedTopic& topic : plan.topics) {
        out.push_back({{"name", topic.name},
                       {"publish", who(topic.publish)},
                       {"subscribe", who(topic.subscribe)}});
    }
    return out;
}

}  // namespace

std::string openapi(const Plan& plan) {
    const Data data = document_data(plan);
    const Json answers = fill_json("openapi_responses.json.mustache", data);
    const Json matrix = Json::parse(plan.matrix.empty() ? "{}" : plan.matrix);
    Json document = fill_json("openapi.json.mustache", data);
    Json& paths = document["paths"];
    Json schemas = fill_json("openapi_schemas.json.mustache", data);
    for (const ServedEntity& entity : plan.entities) {
        put_table_paths(entity, matrix, answers, paths);
        put_entity_schemas(plan, entity, schemas);
    }
    for (const plan::Query& query : plan.queries) {
        put_query_path(query, answers, paths);
        put_query_schemas(plan, query, schemas);
    }
    put_flows(plan, answers, paths, schemas);
    put_files(plan, answers, paths, schemas);
    put_hooks(plan, answers, paths, schemas);
    put_payments(plan, answers, paths, schemas);
    schemas.update(fill_json("openapi_account_schemas.json.mustache", data));
    schemas.update(fill_json("openapi_ai_schemas.json.mustache", data));
    schemas.update(fill_json("openapi_connector_schemas.json.mustache", data));
    for (const char* part : {"openapi_accounts.json.mustache", "openapi_paths.json.mustache",
                             "openapi_ai.json.mustache", "openapi_connectors.json.mustache"}) {
        const Json fixed = fill_json(part, data);
        for (const auto& [path, item] : fixed.items()) paths[path] = path_item(item, answers);
    }
    Json& components = document["components"];
    components["parameters"] = fill_json("openapi_parameters.json.mustache", data);
    components["responses"] = error_responses(answers);
    components["schemas"] = std::move(schemas);
    prune(document);
    document["x-svc-topics"] = topics_of(plan);
    document["x-svc-roles"] = matrix;
    return json_page(document);
}

std::string openapi_source(const Plan& plan, const std::string& document) {
    Data data = named("app", plan.namespace_name);
    data["size"] = std::to_string(document.size());
    return fill("openapi.cpp.mustache", data);
}

}  // namespace svc::emit
