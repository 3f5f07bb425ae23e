#include "emit/data/client_types.hpp"
#include "emit/data/data.hpp"
#include "emit/json_page.hpp"
#include "emit/openapi/openapi_schemas.hpp"
#include "emit/openapi/openapi_values.hpp"

namespace svc::emit {
namespace {

using plan::Facts;
using plan::is_owner;
using plan::kEveryone;
using plan::Plan;
using plan::ServedColumn;
using plan::ServedEntity;

Data member(const std::string& name, const Facts& facts, bool optional, bool nullable) {
    Data out;
    out["name"] = name;
    out["mark"] = std::string(optional ? "?" : "");
    out["type"] = typescript::type_of(facts, nullable);
    out["kind"] = std::string(typescript::family_of(facts));
    return out;
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
    return typescript::braced(out, 4);
}

std::string param_member(const plan::QueryParam& param) {
    return param.name + (param.required ? ": " : "?: ") +
           typescript::type_of(param.facts, !param.required);
}

std::string params_text(const std::vector<plan::QueryParam>& params) {
    std::vector<std::string> out;
    out.reserve(params.size());
    for (const plan::QueryParam& param : params) out.push_back(param_member(param));
    return typescript::braced(out, 6);
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
    out["transition"] = typescript::one_of(transitions);
    out["links"] = links_text(plan, entity);
    put_columns(entity, out);
    return out;
}

Data call_data(const plan::Query& query) {
    std::vector<std::string> columns;
    columns.reserve(query.columns.size());
    for (const plan::QueryColumn& column : query.columns)
        columns.push_back(typescript::key_of(column.name) + ": " +
                          typescript::type_of(result_facts(column.type), true));
    Data out;
    out["name"] = query.name;
    out["params"] = params_text(query.params);
    out["row"] = typescript::braced(columns, 6);
    return out;
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
            one["result"] =
                flow.gives ? typescript::script_type(plan, *flow.gives) : std::string("null");
            functions.push_back(one);
            add_literal(function_names, flow.name);
        } else if (flow.callable) {
            workflows.push_back(flow.name + ": { input: " + input_type(flow) + " }");
            add_literal(workflow_names, flow.name);
        }
    }
    out["functions"] = std::move(functions);
    out["workflows"] = typescript::braced(workflows, 2);
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
    out["persona"] = typescript::one_of(personas);
    put_flows(plan, out);
    out["topics"] = topics_text(plan);
    return out;
}

}  // namespace svc::emit
