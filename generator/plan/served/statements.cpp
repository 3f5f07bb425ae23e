#include <algorithm>

#include "plan/names.hpp"
#include "plan/served/served.hpp"
#include "plan/table/external_key.hpp"
#include "plan/table/tables.hpp"
#include "plan/types.hpp"
#include "plan/write/kept.hpp"
#include "plan/write/lifecycle.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Model;

constexpr std::size_t kWidth = 92;

// "a, b, c", broken into lines that a reader can see whole.
std::string listed(const std::vector<std::string>& parts) {
    std::string out;
    std::size_t line = 8;
    for (const std::string& part : parts) {
        if (!out.empty()) {
            const bool full = line + part.size() > kWidth;
            out += full ? ",\n    " : ", ";
            if (full) line = 4;
        }
        out += part;
        line += part.size() + 2;
    }
    return out;
}

std::string column_list(const ServedEntity& served) {
    std::vector<std::string> names;
    for (const ServedColumn& column : served.columns) names.push_back(ident(column.name));
    return listed(names);
}

// The column that distinguishes a row's versions comes after its columns.
const char* version_of(const ServedEntity& served) {
    return served.external ? ", svc.row_tag(_row::text)" : ", xmin";
}

std::string returned(const ServedEntity& served) {
    return "\nreturning " + column_list(served) + version_of(served);
}

// The name of the table in a statement of one row.
std::string named_table(const ServedEntity& served, const std::string& name) {
    return served.external ? table(name) + " as _row" : table(name);
}

// The key of external rows is of whatever type it has there.
std::string id_type(const Entity& entity) {
    if (!entity.external) return "uuid";
    const auto key = key_type(entity);
    return key ? std::string(type_names(*key).sql) : "unknown";
}

// A condition that holds where no versions are asked for.
std::string version_condition(const ServedEntity& served, const std::string& versions) {
    const std::string version = served.external ? "svc.row_tag(_row::text)" : row_version("");
    return " and (" + versions + " is null or " + version + " = any (" + versions + "))";
}

const model::Field* field_of(const Entity& entity, const std::string& column) {
    const auto at = std::find_if(entity.fields.begin(), entity.fields.end(),
                                 [&](const model::Field& field) { return field.name == column; });
    return at == entity.fields.end() ? nullptr : &*at;
}

// Numbers the parameters of one statement as its text is built. The runtime derives from the
// columns what each of them is, in the same order (svc/columns.hpp).
class Binder {
  public:
    // "$3", of this type from now on.
    std::string bind(std::string_view type) {
        types.emplace_back(type);
        return "$" + std::to_string(types.size());
    }
    std::vector<std::string> types;
};

std::string created_value(const Model& model, const Entity& entity, const model::Field& field,
                          const ServedColumn& column, Binder& binder) {
    const std::string_view type = type_names(field.type).sql;
    if (!column.has_default) return binder.bind(type);
    const std::string sent = binder.bind("boolean");
    return "case when " + sent + " then " + binder.bind(type) + " else " +
           default_sql(model, entity, field) + " end";
}

void plan_create(const Model& model, const Entity& entity, ServedEntity& served) {
    Binder binder;
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < served.columns.size(); ++i) {
        const ServedColumn& column = served.columns[i];
        const model::Field* field = field_of(entity, column.name);
        std::string value;
        if (served.external && i == 0) {
            if (column.creators == 0) continue;
            value = binder.bind(id_type(entity));
        } else if (field != nullptr && column.creators != 0) {
            value = created_value(model, entity, *field, column, binder);
        } else if (column.name == "id" || column.name == "user_id" || column.name == "org_id") {
            value = binder.bind("uuid");
        } else {
            continue;  // the database's default
        }
        names.push_back(ident(column.name));
        values.push_back(value);
    }
    const std::string insert = "insert into " + named_table(served, entity.name) + " (" +
                               listed(names) + ")\nvalues (" + listed(values) + ")";
    const char* returning = served.external ? "\nreturning id" : "";  // else nobody here knows it
    served.insert = {entity.name + "_insert", insert + returning, binder.types};
    served.insert_returning = {entity.name + "_create", insert + returned(served), binder.types};
}

void plan_update(const Entity& entity, ServedEntity& served) {
    Binder binder;
    const std::string id = binder.bind(id_type(entity));
    std::string sets;
    for (std::size_t i = 0; i < served.columns.size(); ++i) {
        const ServedColumn& column = served.columns[i];
        const model::Field* field = field_of(entity, column.name);
        if (field == nullptr || column.updaters == 0) continue;
        const std::string sent = binder.bind("boolean");
        const std::string value = binder.bind(type_names(field->type).sql);
        const std::string name = ident(column.name);
        sets += (sets.empty() ? "" : ",\n    ") + name + " = case when " + sent + " then " + value +
                " else " + name + " end";
    }
    if (sets.empty()) sets = served.external ? "id = id" : "updated_at = now()";
    const std::string which = version_condition(served, binder.bind("text[]"));
    served.update_row = {entity.name + "_update",
                         "update " + named_table(served, entity.name) + " set\n    " + sets +
                             "\nwhere id = " + id + which + returned(served),
                         binder.types};
}

}  // namespace

void plan_statements(const Model& model, const Entity& entity, ServedEntity& served) {
    const std::string& name = entity.name;
    const std::string columns = column_list(served);
    served.list_sql =
        "select " + columns + "\nfrom " + (served.external ? listed_rows(entity) : table(name));
    served.get = {name + "_get",
                  "select " + columns + version_of(served) + "\nfrom " + named_table(served, name) +
                      "\nwhere id = $1",
                  {id_type(entity)}};
    served.delete_row = {name + "_delete",
                         "delete from " + named_table(served, name) + "\nwhere id = $1" +
                             version_condition(served, "$2") + "\nreturning id",
                         {id_type(entity), "text[]"}};
    plan_create(model, entity, served);
    plan_update(entity, served);
    if (entity.soft_delete) {
        served.restore = {name + "_restore",
                          "select " + columns + ", pg_current_xact_id()::xid\nfrom svc." +
                              ident(restore_function_name(entity)) + "($1)",
                          {"uuid"}};
    }
    if (entity.lifecycle) {
        served.transition = {name + "_transition",
                             "select " + columns + ", pg_current_xact_id()::xid\nfrom svc." +
                                 ident(transition_function_name(entity)) + "($1, $2, $3)",
                             {"uuid", "text", "text[]"}};
    }
}

std::vector<Statement> Plan::statements() const {
    std::vector<Statement> out;
    for (const ServedEntity& entity : entities) {
        for (const Statement* statement :
             {&entity.get, &entity.insert_returning, &entity.insert, &entity.update_row,
              &entity.delete_row, &entity.restore, &entity.transition}) {
            if (!statement->name.empty()) out.push_back(*statement);
        }
        if (entity.search) out.push_back(entity.search->find);
    }
    for (const Query& query : queries) {
        out.push_back(query.statement);
        if (!query.elevated.name.empty()) out.push_back(query.elevated);
    }
    return out;
}

}  // namespace svc::plan
