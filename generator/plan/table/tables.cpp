#include "plan/table/tables.hpp"

#include <algorithm>

#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/table/constraints.hpp"
#include "plan/table/external_key.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;
using model::Model;

Column made(const Entity& entity, const char* name, const std::string& type, bool not_null,
            const char* default_value) {
    Column column;
    column.name = name;
    column.sql_type = type;
    column.not_null = not_null;
    column.default_sql = default_value;
    column.path = entity.path;
    return column;
}

Column plan_column(const Model& model, const Entity& entity, const Field& field) {
    Column column;
    column.name = field.name;
    column.sql_type = type_names(field.type).sql;
    column.not_null = field.required || field.lifecycle;
    column.default_sql = default_sql(model, entity, field);
    if (field.computed) column.generated_sql = sql_value(*field.computed, {model, "", ""});
    column.renamed_from = field.renamed_from;
    column.type_word = base::word(type_names(field.type).type);
    column.path = field.path;
    return column;
}

// The key of external rows counts as text until an apply knows its type.
std::string key_sql(const Entity& entity) {
    const auto key =
        entity.external ? key_type(entity).value_or(FieldType::string) : FieldType::uuid;
    return std::string(type_names(key).sql);
}

std::vector<Column> plan_columns(const Model& model, const Entity& entity) {
    const bool here = !entity.external;
    std::vector<Column> columns = {
        made(entity, "id", key_sql(entity), true, here ? "svc.new_id()" : "")};
    if (entity.owner.user) columns.push_back(made(entity, "user_id", "uuid", false, kStampedUser));
    if (entity.owner.org) columns.push_back(made(entity, "org_id", "uuid", false, kStampedOrg));
    for (const Field& field : entity.fields) columns.push_back(plan_column(model, entity, field));
    if (!here) return columns;
    columns.push_back(made(entity, "created_at", "timestamptz", true, "now()"));
    columns.push_back(made(entity, "updated_at", "timestamptz", true, "now()"));
    return columns;
}

struct Indexed {
    std::vector<model::IndexColumn> columns;
    std::string path;
    std::string name = {};  // between the table's and _idx; empty: the columns
};

bool starts_a_unique(const Entity& entity, const std::string& column) {
    return std::any_of(entity.unique.begin(), entity.unique.end(),
                       [&](const auto& group) { return group.front() == column; });
}

// Refs and owners are what policies and joins look rows up by.
std::vector<Indexed> wanted_indexes(const Model& model, const Entity& entity) {
    std::vector<Indexed> wanted;
    if (entity.owner.user) wanted.push_back({{{"user_id"}}, entity.path});
    if (entity.owner.org) wanted.push_back({{{"org_id"}}, entity.path});
    for (const Field& field : entity.fields) {
        const bool reference = field.type == FieldType::ref || field.type == FieldType::user ||
                               field.type == FieldType::file;
        if ((reference || field.index) && !field.unique && !starts_a_unique(entity, field.name)) {
            wanted.push_back({{{field.name}}, field.path});
        }
    }
    if (newest_first(model, entity))
        wanted.push_back({{{"created_at"}, {"id"}}, entity.path, "_newest"});
    for (std::size_t i = 0; i < entity.indexes.size(); ++i) {
        wanted.push_back({entity.indexes[i], entity.path + "/indexes/" + std::to_string(i)});
    }
    return wanted;
}

TableObject plan_index(const Entity& entity, const Indexed& wanted) {
    TableObject index;
    std::string columns;
    index.name = entity.name;
    if (!wanted.name.empty()) index.name += "_" + wanted.name;
    for (const model::IndexColumn& column : wanted.columns) {
        if (wanted.name.empty())
            index.name += "_" + column.name + (column.descending ? "_desc" : "");
        columns +=
            (columns.empty() ? "" : ", ") + ident(column.name) + (column.descending ? " desc" : "");
    }
    index.name += "_idx";
    index.sql =
        "create index " + ident(index.name) + " on " + table(entity.name) + " (" + columns + ")";
    index.path = wanted.path;
    return index;
}

bool shows_newest_first(const model::Block& block, const Model& model, const Entity& entity) {
    return block.entity && &model.entities[*block.entity] == &entity && block.filter.empty() &&
           block.sort && block.sort->column.builtin == "created_at";
}

}  // namespace

bool newest_first(const Model& model, const Entity& entity) {
    if (entity.external) return false;
    // Standard pages list the rows of all that people may read. Parents are not asked: in a
    // contract with mistakes they may lead in a circle.
    if (model.pages.empty())
        return entity.access.same_as ||
               (bits(model, grants(entity, Operation::read)) & ~kServerBit) != 0;
    return std::ranges::any_of(model.pages, [&](const model::Page& page) {
        return std::ranges::any_of(page.body, [&](const model::Block& block) {
            return shows_newest_first(block, model, entity);
        });
    });
}

std::string sequence_name(const Entity& entity, const Field& field) {
    return entity.name + "_" + field.name + "_seq";
}

std::string clock_sql(const Model& model, FieldType type) {
    if (type == FieldType::datetime) return "now()";
    return "(now() at time zone " + literal(model.app.timezone) + ")::date";
}

std::string default_sql(const Model& model, const Entity& entity, const Field& field) {
    if (field.type == FieldType::sequence) {
        return literal(field.prefix) + " || nextval(" +
               literal(table(sequence_name(entity, field))) + ")";
    }
    switch (field.default_value.kind) {
        case model::Default::Kind::none:
            return {};
        case model::Default::Kind::now:
        case model::Default::Kind::today:
            return clock_sql(model, field.type);
        case model::Default::Kind::literal:
            break;
    }
    const std::string& text = field.default_value.text;
    const bool bare = is_numeric(field.type) || field.type == FieldType::boolean;
    return bare ? text : literal(text) + "::" + std::string(type_names(field.type).sql);
}

std::vector<Routine> plan_sequences(const Entity& entity) {
    std::vector<Routine> routines;
    for (const Field& field : entity.fields) {
        if (field.type != FieldType::sequence) continue;
        Routine sequence;
        sequence.kind = Routine::Kind::sequence;
        sequence.name = sequence_name(entity, field);
        sequence.create = "create sequence if not exists " + table(sequence.name) +
                          ";\ngrant usage on sequence " + table(sequence.name) + " to :data_role";
        routines.push_back(std::move(sequence));
    }
    return routines;
}

std::vector<std::vector<std::string>> uniques(const Entity& entity) {
    std::vector<std::vector<std::string>> out = entity.unique;
    for (const Field& field : entity.fields) {
        if (field.unique) out.push_back({field.name});
    }
    return out;
}

std::string row_version(const std::string& prefix) {
    return prefix + "xmin::text || " + prefix + "updated_at::text";
}

Table plan_table(const Model& model, const Entity& entity) {
    Table out;
    out.name = entity.name;
    out.path = entity.path;
    out.columns = plan_columns(model, entity);
    out.external = entity.external.has_value();
    out.soft_delete = entity.soft_delete;
    out.keep_deleted = entity.keep_deleted;
    out.renamed_from = entity.renamed_from;
    if (out.external) return out;
    out.uniques = uniques(entity);
    for (PlannedConstraint& constraint : plan_constraints(model, entity)) {
        out.constraints.push_back(std::move(constraint.object));
    }
    for (const Indexed& wanted : wanted_indexes(model, entity)) {
        TableObject index = plan_index(entity, wanted);
        const auto same = [&](const TableObject& other) { return other.sql == index.sql; };
        if (std::none_of(out.indexes.begin(), out.indexes.end(), same)) {
            out.indexes.push_back(std::move(index));
        }
    }
    return out;
}

std::vector<ServedConstraint> served_constraints(const Model& model, const Entity& entity) {
    std::vector<ServedConstraint> served;
    for (PlannedConstraint& constraint : plan_constraints(model, entity)) {
        served.push_back(std::move(constraint.served));
    }
    return served;
}

}  // namespace svc::plan
