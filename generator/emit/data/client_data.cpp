#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "emit/data/data.hpp"
#include "emit/json_page.hpp"
#include "emit/openapi/openapi_schemas.hpp"
#include "emit/openapi/openapi_values.hpp"

namespace svc::emit {
namespace {

using model::FieldType;
using plan::Facts;
using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

using plan::kEveryone;

struct Word {
    std::string_view type;  // of types.ts, or TypeScript's own
    std::string_view kind;  // the family of types.ts
};

// The word for a type of the contract; other types are texts. Without a type it is a key of another
// database.
Word word_of(std::optional<FieldType> type) {
    static const std::map<FieldType, Word> kWords = {
        {FieldType::integer, {"number", "number"}},
        {FieldType::money, {"svc.Money", "number"}},
        {FieldType::number, {"number", "number"}},
        {FieldType::decimal, {"number", "number"}},
        {FieldType::float_, {"number", "number"}},
        {FieldType::boolean, {"boolean", "boolean"}},
        {FieldType::date, {"svc.Day", "day"}},
        {FieldType::time, {"svc.Time", "time"}},
        {FieldType::datetime, {"svc.Moment", "moment"}},
        {FieldType::tags, {"string[]", "tags"}},
        {FieldType::json, {"svc.Json", "json"}},
        {FieldType::uuid, {"svc.Uuid", "id"}},
        {FieldType::ref, {"svc.Uuid", "id"}},
        {FieldType::user, {"svc.Uuid", "id"}},
        {FieldType::file, {"svc.Uuid", "id"}},
    };
    if (!type) return {"svc.Key", "id"};
    const auto at = kWords.find(*type);
    return at == kWords.end() ? Word{"string", "text"} : at->second;
}

// "draft" | "placed". A JSON string is a literal of TypeScript too.
std::string one_of(const std::vector<std::string>& values) {
    std::string out;
    for (const std::string& value : values) out += (out.empty() ? "" : " | ") + Json(value).dump();
    return out.empty() ? "never" : out;
}

std::string type_of(const Facts& facts, bool nullable) {
    const std::string type =
        facts.values.empty() ? std::string(word_of(facts.type).type) : one_of(facts.values);
    return type + (nullable ? " | null" : "");
}

Data member(const std::string& name, const Facts& facts, bool optional, bool nullable) {
    Data out;
    out["name"] = name;
    out["mark"] = std::string(optional ? "?" : "");
    out["type"] = type_of(facts, nullable);
    out["kind"] = std::string(word_of(facts.type).kind);
    return out;
}

using plan::is_owner;

// A TypeScript type of these members, a line each: "draft: boolean;".
std::string braced(const std::vector<std::string>& members, std::size_t indent) {
    if (members.empty()) return "{}";
    std::string out = "{\n";
    for (const std::string& member : members) out += std::string(indent + 2, ' ') + member + ";\n";
    return out + std::string(indent, ' ') + "}";
}

// "title" as it stands, "unit price" in quotes.
std::string key_of(const std::string& name) {
    const bool plain =
        !name.empty() && !base::is_digit(name.front()) &&
        std::ranges::all_of(name, [](char c) { return base::is_alphanumeric(c) || c == '_'; });
    return plain ? name : Json(name).dump();
}

Data file_url(const ServedColumn& file) {
    Data out;
    out["comment"] = std::string("  /** With the header x-svc-files: 1. For Files.url(). */\n");
    out["name"] = file.name + "_url";
    out["mark"] = std::string("?");
    out["type"] = std::string("string | null");
    return out;
}

void put_columns(const ServedEntity& entity, Data& out) {
    Data columns{Data::type::list}, creates{Data::type::list}, updates{Data::type::list};
    for (const ServedColumn& column : entity.columns) {
        const Facts& facts = column.facts;
        const bool masked = column.readers != kEveryone;
        columns.push_back(member(column.name, facts, masked, facts.nullable));
        if (column.creators != 0 || is_owner(column)) {
            creates.push_back(member(column.name, facts, !column.required, facts.nullable));
        }
        if (column.updaters != 0) {
            updates.push_back(member(column.name, facts, true, facts.nullable));
        }
    }
    Data members = columns;
    for (const std::size_t file : entity.files) members.push_back(file_url(entity.columns[file]));
    out["members"] = std::move(members);
    out["columns"] = std::move(columns);
    out["creates"] = std::move(creates);
    out["updates"] = std::move(updates);
}

// lines: { many: OrderLine.Shape }
std::string links_text(const Plan& plan, const ServedEntity& entity) {
    std::vector<std::string> out;
    out.reserve(entity.links.size());
    for (const plan::ServedLink& link : entity.links)
        out.push_back(link.name + ": { " + std::string(base::word(link.kind)) + ": " +
                      target_of(plan, link).cpp_name + ".Shape }");
    return braced(out, 4);
}

std::string param_member(const plan::QueryParam& param) {
    return param.name + (param.required ? ": " : "?: ") + type_of(param.facts, !param.required);
}

std::string params_text(const std::vector<plan::QueryParam>& params) {
    std::vector<std::string> out;
    out.reserve(params.size());
    for (const plan::QueryParam& param : params) out.push_back(param_member(param));
    return braced(out, 6);
}

Data table_data(const Plan& plan, const ServedEntity& entity) {
    std::vector<std::string> transitions;
    for (const plan::ServedTransition& each : entity.transitions) transitions.push_back(each.name);
    Data out;
    out["table"] = entity.name;
    out["external"] = entity.external;
    out["soft_delete"] = !entity.restore.name.empty();
    out["audit"] = entity.audit;
    out["struct"] = entity.cpp_name;
    out["transition"] = one_of(transitions);
    out["links"] = links_text(plan, entity);
    put_columns(entity, out);
    return out;
}

Data call_data(const plan::Query& query) {
    std::vector<std::string> columns;
    columns.reserve(query.columns.size());
    for (const plan::QueryColumn& column : query.columns)
        columns.push_back(key_of(column.name) + ": " + type_of(result_facts(column.type), true));
    Data out;
    out["name"] = query.name;
    out["params"] = params_text(query.params);
    out["row"] = braced(columns, 6);
    return out;
}

std::string script_type(const Plan& plan, const model::FlowType& type);

// Null if a step gave nothing.
std::string object_type(const Plan& plan, const std::vector<model::FlowMember>& members) {
    std::string out;
    for (const model::FlowMember& member : members) {
        out += (out.empty() ? "" : "; ") + key_of(member.name) + ": " +
               script_type(plan, member.type) + (member.type.open() ? "" : " | null");
    }
    return "{ " + out + " }";
}

std::string scalar_type(model::ExprType type) {
    using model::ExprType;
    switch (type) {
        case ExprType::boolean:
            return "boolean";
        case ExprType::integer:
        case ExprType::decimal:
            return "number";
        case ExprType::date:
            return "svc.Day";
        case ExprType::time:
            return "svc.Time";
        case ExprType::timestamp:
            return "svc.Moment";
        case ExprType::uuid:
            return "svc.Uuid";
        case ExprType::tags:
            return "string[]";
        case ExprType::text:
        case ExprType::duration:
            return "string";
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            break;
    }
    return "svc.Json";
}

// The type of a function's result.
std::string script_type(const Plan& plan, const model::FlowType& type) {
    switch (type.kind) {
        case model::FlowType::Kind::row:
            return plan.entities[type.entity].cpp_name;
        case model::FlowType::Kind::object:
            return object_type(plan, type.members);
        case model::FlowType::Kind::list:
            return "Array<" + script_type(plan, type.element.front()) + ">";
        case model::FlowType::Kind::scalar:
            break;
    }
    return scalar_type(type.type);
}

std::string input_type(const plan::PlannedFlow& flow) {
    if (flow.any_input) return "Record<string, svc.Json>";
    std::string out;
    for (const plan::QueryParam& param : flow.params)
        out += (out.empty() ? "" : "; ") + param_member(param);
    return out.empty() ? "object" : "{ " + out + " }";
}

void add_literal(std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + Json(name).dump();
}

void put_flows(const Plan& plan, Data& out) {
    Data functions{Data::type::list};
    std::vector<std::string> workflows;
    std::string function_names, workflow_names;
    for (const plan::PlannedFlow& flow : plan.flows.all) {
        if (!flow.workflow) {
            Data one;
            one["name"] = flow.name;
            one["params"] = params_text(flow.params);
            one["result"] = flow.gives ? script_type(plan, *flow.gives) : std::string("null");
            functions.push_back(one);
            add_literal(function_names, flow.name);
        } else if (flow.callable) {
            workflows.push_back(flow.name + ": { input: " + input_type(flow) + " }");
            add_literal(workflow_names, flow.name);
        }
    }
    out["functions"] = std::move(functions);
    out["workflows"] = braced(workflows, 2);
    out["function_names"] = function_names;
    out["workflow_names"] = workflow_names;
}

// "counter" | `app:order:${string}`
std::string topics_text(const Plan& plan) {
    std::string out;
    for (const plan::ServedTopic& topic : plan.topics) {
        std::string name;
        for (const std::string& piece : topic.pieces)
            name += (&piece == &topic.pieces.front() ? "" : "${string}") + piece;
        const bool exact = topic.parts.empty();
        out += (out.empty() ? "" : " | ") + (exact ? Json(name).dump() : "`" + name + "`");
    }
    return out.empty() ? "never" : out;
}

}  // namespace

Data client_data(const Plan& plan) {
    Data entities{Data::type::list}, queries{Data::type::list};
    for (const ServedEntity& entity : plan.entities) entities.push_back(table_data(plan, entity));
    for (const plan::Query& query : plan.queries) queries.push_back(call_data(query));
    std::vector<std::string> personas;
    for (const plan::ServedPersona& persona : plan.personas) personas.push_back(persona.id);
    Data out;
    if (!plan.entities.empty()) out["example"] = plan.entities.front().name;
    out["entities"] = std::move(entities);
    out["queries"] = std::move(queries);
    out["persona"] = one_of(personas);
    put_flows(plan, out);
    out["topics"] = topics_text(plan);
    return out;
}

}  // namespace svc::emit
