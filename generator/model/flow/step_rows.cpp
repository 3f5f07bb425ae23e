// Steps that read and write rows: create, update, delete, transition, query.
#include <algorithm>

#include "contract/read/reader.hpp"
#include "model/flow/flow_work.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

using contract::Reader;
using contract::Value;

std::optional<std::size_t> entity_of(FlowWork& flow, const Reader& in) {
    return resolve_entity(flow.work, in.text("entity"));
}

// The reason why a step cannot write a column, and the fix. Empty: it can.
struct Obstacle {
    std::string why = {};
    std::string fix = "remove the field";
};

Obstacle obstacle(const FlowWork& flow, const Field& field, bool creates) {
    if (field.computed) return {"it is computed"};
    if (field.type == FieldType::sequence) return {"the server counts it"};
    if (field.lifecycle) return {"only transitions can change it", "use a transition step"};
    if (field.immutable && !creates) return {"it can be set only when the row is created"};
    if (flow.run_as.kind != RunAs::Kind::persona || !field.write) return {};
    for (const Persona& persona : flow.work.out.personas) {
        if (persona.id != flow.run_as.persona) continue;
        const bool may =
            std::any_of(persona.acts_as.begin(), persona.acts_as.end(),
                        [&](const std::string& name) { return contains(*field.write, name); });
        if (!may) return {"\"" + persona.id + "\" may not write it"};
    }
    return {};
}

Field builtin_field(const std::string& name) {
    Field field;
    field.name = name;
    field.type = name.ends_with("_at") ? FieldType::datetime : FieldType::uuid;
    return field;
}

void unknown_column(FlowWork& flow, const contract::Member& member, const Entity& entity) {
    std::vector<std::string> known = field_names(entity);
    for (const std::string& name : builtin_columns(entity)) known.push_back(name);
    flow.work.findings.missing("UNKNOWN_FIELD", member.name, contract::name_of(member.value.path),
                               entity.name + " has no field \"" + member.name + "\".",
                               did_you_mean(member.name, known, "it has " + joined(known)));
}

// A column that the compiler made, or a field.
std::optional<Assignment> assigned(FlowWork& flow, const contract::Member& member,
                                   std::size_t index) {
    const Entity& entity = flow.work.out.entities[index];
    Assignment out;
    if (const auto field = find_field(entity, member.name)) {
        out.field = *field;
        if (entity.fields[*field].broken) return std::nullopt;
        out.value = read_value(flow, member.value, entity.fields[*field]);
        return out;
    }
    if (!contains(builtin_columns(entity), member.name)) {
        unknown_column(flow, member, entity);
        return std::nullopt;
    }
    out.builtin = member.name;
    out.value = read_value(flow, member.value, builtin_field(member.name));
    return out;
}

std::vector<Assignment> data(FlowWork& flow, const Value& in, std::size_t index, bool creates) {
    std::vector<Assignment> out;
    const Entity& entity = flow.work.out.entities[index];
    for (const contract::Member& member : in.members) {
        std::optional<Assignment> made = assigned(flow, member, index);
        if (!made) continue;
        const bool owner = made->builtin == "user_id" || made->builtin == "org_id";
        const Obstacle found = made->builtin.empty()
                                   ? obstacle(flow, entity.fields[made->field], creates)
                               : owner && creates ? Obstacle()
                                                  : Obstacle{"the server sets it"};
        if (!found.why.empty()) {
            flow.work.findings.error(
                "FIELD_NOT_WRITABLE", contract::name_of(member.value.path),
                "A step cannot write \"" + member.name + "\": " + found.why + ".", found.fix);
            continue;
        }
        out.push_back(std::move(*made));
    }
    return out;
}

void check_complete(FlowWork& flow, const Value& in, const Entity& entity) {
    for (const Field& field : entity.fields) {
        const bool filled = !field.required || field.computed || field.lifecycle ||
                            field.type == FieldType::sequence ||
                            field.default_value.kind != Default::Kind::none ||
                            in.find(field.name) != nullptr;
        if (filled || flow.work.findings.doubts(field.name)) continue;
        flow.work.findings.error(
            "MISSING_KEY", in.path,
            "This step sets no \"" + field.name + "\", but " + entity.name + " requires it.",
            "add \"" + field.name + "\"");
    }
}

// The row's, or JSON that may be anything where the entity is not known.
FlowType row_type(std::optional<std::size_t> entity) {
    return entity ? row_of(*entity) : FlowType{};
}

}  // namespace

FlowAction read_create(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    const auto entity = entity_of(flow, in);
    gives = row_type(entity);
    CreateStep out;
    if (!entity) return out;
    out.entity = *entity;
    out.data = data(flow, *in.find("data"), *entity, true);
    check_complete(flow, *in.find("data"), flow.work.out.entities[*entity]);
    return out;
}

FlowAction read_update(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    const auto entity = entity_of(flow, in);
    gives = row_type(entity);
    UpdateStep out;
    out.id = read_id(flow, in.find("id"), entity);
    if (!entity) return out;
    out.entity = *entity;
    out.data = data(flow, *in.find("data"), *entity, false);
    return out;
}

FlowAction read_delete(FlowWork& flow, const contract::Step& step, std::optional<FlowType>&) {
    const Reader in(step.body);
    const auto entity = entity_of(flow, in);
    return DeleteStep{entity.value_or(0), read_id(flow, in.find("id"), entity)};
}

FlowAction read_transition(FlowWork& flow, const contract::Step& step,
                           std::optional<FlowType>& gives) {
    const Reader in(step.body);
    const auto entity = entity_of(flow, in);
    gives = row_type(entity);
    TransitionStep out;
    out.entity = entity.value_or(0);
    out.id = read_id(flow, in.find("id"), entity);
    if (entity) {
        out.transition = find_transition(flow.work, *entity, in.text("transition")).value_or(0);
    }
    return out;
}

FlowAction read_query(FlowWork& flow, const contract::Step& step, std::optional<FlowType>& gives) {
    const Reader in(step.body);
    const contract::Text name = in.text("name");
    const auto known = flow.work.query_rows.find(name.text);
    gives =
        object_of({{"rows", list_of(known != flow.work.query_rows.end() ? object_of(known->second)
                                                                        : FlowType{})},
                   {"rowCount", scalar(ExprType::integer)}});
    const std::vector<Query>& queries = flow.work.out.queries;
    const auto target = find_named(queries, name.text, &Query::name);
    if (!target) {
        unknown_query(flow.work, name);
        return QueryStep{0, read_members(flow, in.find("params"))};
    }
    if (!queries[*target].workflow) {
        flow.work.findings.error("BAD_CALL", name.path,
                                 "Steps may not run the query \"" + name.text + "\".",
                                 "add \"workflow\" to the query's \"allow\"");
    }
    return QueryStep{*target, read_arguments(flow, step.body, in.find("params"),
                                             queries[*target].params, "\"" + name.text + "\"")};
}

std::vector<Assignment> read_where(FlowWork& flow, const Value& where, std::size_t entity) {
    std::vector<Assignment> out;
    for (const contract::Member& member : where.members) {
        if (member.value.is(Value::Kind::null)) {  // asks for rows without a value
            const Entity& of = flow.work.out.entities[entity];
            const auto field = find_field(of, member.name);
            const bool builtin = contains(builtin_columns(of), member.name);
            if (!field && !builtin) unknown_column(flow, member, of);
            out.push_back({field.value_or(0), builtin ? member.name : "", {}});
            continue;
        }
        if (auto made = assigned(flow, member, entity)) out.push_back(std::move(*made));
    }
    return out;
}

std::optional<std::size_t> find_transition(Work work, std::size_t index,
                                           const contract::Text& name) {
    const Entity& entity = work.out.entities[index];
    std::vector<std::string> known;
    if (entity.lifecycle) {
        const auto& moves = entity.lifecycle->transitions;
        if (const auto found = find_named(moves, name.text, &Transition::name)) return found;
        known = names_of(moves, &Transition::name);
    }
    work.findings.missing("UNKNOWN_TRANSITION", name.text, name.path,
                          entity.name + " has no transition \"" + name.text + "\".",
                          did_you_mean(name.text, known,
                                       known.empty() ? "give the entity a lifecycle"
                                                     : "the transitions are " + joined(known)));
    return std::nullopt;
}

}  // namespace svc::model
