// Steps that read and write rows.
#include <algorithm>
#include <map>

#include "plan/flow/flow_value.hpp"
#include "plan/flow/row_value.hpp"
#include "plan/flow/step_sql.hpp"
#include "plan/names.hpp"
#include "plan/sql/context_path.hpp"
#include "plan/types.hpp"
#include "plan/write/lifecycle.hpp"

namespace svc::plan {
namespace {

using model::Assignment;
using model::Entity;

const std::string& column_name(const Entity& entity, const Assignment& assigned) {
    return assigned.builtin.empty() ? entity.fields[assigned.field].name : assigned.builtin;
}

std::string assigned_value(const Entity& entity, const Assignment& assigned, const Scope& scope) {
    if (assigned.builtin.empty())
        return column_value(assigned.value, entity.fields[assigned.field], scope);
    model::Field field;
    field.type =
        assigned.builtin.ends_with("_at") ? model::FieldType::datetime : model::FieldType::uuid;
    return column_value(assigned.value, field, scope);
}

// The readers of the field, as principals of svc.acts_as. A server reads every field.
std::vector<std::string> readers_of(const model::Field& field) {
    std::vector<std::string> out = *field.read;
    out.emplace_back("server");
    return out;
}

// The fields that some who see the row may not read, by who may: {"'clerk', 'server'": "'cost'"}.
std::map<std::string, std::string> masked_fields(const Entity& entity) {
    std::map<std::string, std::string> out;
    for (const model::Field& field : entity.fields) {
        if (!field.read) continue;
        std::string who;
        for (const std::string& name : readers_of(field))
            who += (who.empty() ? "" : ", ") + literal(name);
        std::string& fields = out[who];
        fields += (fields.empty() ? "" : ", ") + literal(field.name);
    }
    return out;
}

// Policies know rows, not columns: where the step acts as a caller, the fields that this caller may
// not read are taken off here, as lists take them off.
std::string masked(const std::string& row, const Entity& entity, const Scope& scope) {
    if (scope.context != Scope::Context::caller) return row;
    std::string masks;
    for (const auto& [who, fields] : masked_fields(entity))
        masks += " - case when (select svc.acts_as(" + who + ")) then '{}'::text[] else array[" +
                 fields + "] end";
    return masks.empty() ? row : "(" + row + ")" + masks;
}

// A row as the step gives it.
std::string row_json(const std::string& alias, const Entity& entity, const Scope& scope) {
    return masked(row_value(alias, entity), entity, scope);
}

std::string written(const std::string& write, const Entity& entity, const Scope& scope) {
    return "with _w as (\n    " + write + "\n    returning *" + moments_behind(entity) +
           "\n)\nselect " + masked("to_jsonb(_w)", entity, scope) + " from _w";
}

std::string lines(const std::vector<std::string>& parts, const char* indent) {
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : std::string(",\n") + indent) + part;
    return out;
}

// Compared as rows are found: null is not a value that a column equals.
std::string condition_of(const Entity& entity, const Assignment& assigned, const Scope& scope) {
    const std::string column = "_r." + ident(column_name(entity, assigned));
    const bool none =
        assigned.value.kind == model::FlowValue::Kind::literal && assigned.value.json == "null";
    return column + (none ? " is null" : " = " + assigned_value(entity, assigned, scope));
}

std::string argument(const QueryParam& param, const model::Field& field,
                     const model::FlowValue* given, const Scope& scope) {
    std::string value = param.fallback ? literal(*param.fallback) : "null";
    if (given != nullptr) value = column_value(*given, field, scope);
    return cast_to(value, param.sql_type);
}

const model::FlowValue* find_given(const model::QueryStep& step, const std::string& name) {
    const auto at =
        std::find_if(step.params.begin(), step.params.end(),
                     [&](const model::FlowMemberValue& one) { return one.name == name; });
    return at == step.params.end() ? nullptr : &at->value;
}

// The rows of a query as jsonb, in the form that it answers callers with.
std::string query_rows(const Query& query) {
    std::vector<std::string> moments;
    for (const QueryColumn& column : query.columns)
        if (column.oid == type_names(model::FieldType::datetime).oid)
            moments.push_back(column.name);
    return "coalesce(jsonb_agg(" + row_value("_q", moments) + "), '[]')";
}

// The author's statement with values in the place of its parameters.
std::string filled(const Query& query, const model::QueryStep& step, const Scope& scope) {
    const model::Query& declared = scope.model.queries[step.query];
    std::vector<std::string> values;
    for (std::size_t i = 0; i < query.params.size(); ++i) {
        const QueryParam& param = query.params[i];
        values.push_back(argument(param, declared.params[i], find_given(step, param.name), scope));
    }
    std::string out = query.pieces.empty() ? "" : query.pieces.front();
    for (std::size_t i = 0; i < query.placeholders.size(); ++i)
        out += values[query.placeholders[i]] + query.pieces[i + 1];
    return out;
}

}  // namespace

std::string row_id(const model::FlowValue& id, const Scope& scope) {
    model::Field field;
    field.type = model::FieldType::uuid;
    return column_value(id, field, scope);
}

std::string create_sql(const model::CreateStep& step, const Scope& scope) {
    const Entity& entity = scope.model.entities[step.entity];
    const std::string into = "insert into " + table(entity.name);
    if (step.data.empty()) return written(into + " default values", entity, scope);
    std::string names;
    std::vector<std::string> values;
    for (const Assignment& assigned : step.data) {
        names += (names.empty() ? "" : ", ") + ident(column_name(entity, assigned));
        values.push_back(assigned_value(entity, assigned, scope));
    }
    return written(
        into + " (" + names + ")\n    values (\n        " + lines(values, "        ") + ")", entity,
        scope);
}

std::string update_sql(const model::UpdateStep& step, const Scope& scope) {
    const Entity& entity = scope.model.entities[step.entity];
    const std::string which = "\n    where id = " + row_id(step.id, scope);
    if (step.data.empty()) {
        return "select " + row_json("_r", entity, scope) + " from " + table(entity.name) + " _r" +
               which;
    }
    std::vector<std::string> sets;
    for (const Assignment& assigned : step.data) {
        sets.push_back(ident(column_name(entity, assigned)) + " = " +
                       assigned_value(entity, assigned, scope));
    }
    return written(
        "update " + table(entity.name) + " set\n        " + lines(sets, "        ") + which, entity,
        scope);
}

std::string delete_sql(const model::DeleteStep& step, const Scope& scope) {
    const Entity& entity = scope.model.entities[step.entity];
    return "with _w as (\n    delete from " + table(entity.name) +
           " where id = " + row_id(step.id, scope) +
           "\n    returning id\n)\nselect jsonb_build_object('id', id) from _w";
}

std::string transition_sql(const model::TransitionStep& step, const Scope& scope) {
    const Entity& entity = scope.model.entities[step.entity];
    const bool system = scope.context == Scope::Context::system;
    const std::string& name = entity.lifecycle->transitions[step.transition].name;
    return "select " + row_json("_r", entity, scope) + " from svc." +
           ident(system ? move_function_name(entity) : transition_function_name(entity)) + "(" +
           row_id(step.id, scope) + ", " + literal(name) + ") _r";
}

std::string query_sql(const Query& query, const model::QueryStep& step, const Scope& scope) {
    const std::string sql = filled(query, step, scope);
    if (!query.writes) {
        return "select jsonb_build_object('rows', " + query_rows(query) +
               ", 'rowCount', count(*))\nfrom (\n    select * from (\n" + sql +
               "\n    ) _all limit " + std::to_string(kMostElements) + "\n) _q";
    }
    const bool silent = query.columns.empty();
    return "with _q as (\n" + sql + (silent ? "\nreturning 1" : "") + "\n)\n" +
           "select jsonb_build_object('rows', " + (silent ? "'[]'::jsonb" : query_rows(query)) +
           ", 'rowCount', count(*)) from _q";
}

std::string repeat_sql(const model::Repeat& repeat, const Scope& scope) {
    if (repeat.list) return "select " + elements_of(*repeat.list, scope);
    const Entity& entity = scope.model.entities[repeat.entity];
    const bool system = scope.context == Scope::Context::system;
    std::string which;
    for (const Assignment& assigned : repeat.where) {
        which += (which.empty() ? "\n    where " : "\n        and ") +
                 condition_of(entity, assigned, scope);
    }
    const std::uint32_t most = repeat.limit.value_or(kMostElements + 1);
    return "select coalesce(jsonb_agg(" + row_json("_e", entity, scope) +
           " order by _e.id), '[]')\nfrom (\n    select * from " +
           (system ? rows_of(entity) : table(entity.name)) + " _r" + which +
           "\n    order by _r.id limit " + std::to_string(std::min(most, kMostElements + 1)) +
           "\n) _e";
}

}  // namespace svc::plan
