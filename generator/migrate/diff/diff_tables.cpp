#include <algorithm>

#include "migrate/diff/diff.hpp"
#include "migrate/diff/table_diff.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;
using plan::Table;

// Its rows stay. The app's callers can no longer reach them; other writers can.
void retire(const std::string& name, const TableState& table, const std::string& data_role,
            Diff& out) {
    const auto step = [&](ChangeKind kind, const std::string& column, const std::string& sql) {
        out.steps.push_back({{kind, name, column, sql}, ""});
    };
    step(ChangeKind::retire_table, "", "revoke all on " + plan::table(name) + " from " + data_role);
    for (const auto& [column, state] : table.columns) {
        if (!state.not_null || column == "id") continue;
        step(ChangeKind::drop_not_null, column,
             "alter table " + plan::table(name) + " alter column " + ident(column) +
                 " drop not null");
    }
}

const Table* find(const plan::Plan& plan, const std::string& table) {
    const auto found = std::find_if(plan.tables.begin(), plan.tables.end(), [&](const Table& one) {
        return one.name == table && !one.external;
    });
    return found == plan.tables.end() ? nullptr : &*found;
}

bool has_column(const plan::Plan& plan, const std::string& table, const std::string& column) {
    const Table* found = find(plan, table);
    return found != nullptr && std::any_of(found->columns.begin(), found->columns.end(),
                                           [&](const auto& one) { return one.name == column; });
}

// The parts of "table.column", or of a table's name alone.
std::pair<std::string, std::string> parts(const std::string& name) {
    const auto dot = name.find('.');
    return dot == std::string::npos ? std::pair{name, std::string()}
                                    : std::pair{name.substr(0, dot), name.substr(dot + 1)};
}

// Removes records of tables and columns that the plan does not have. The kind of a column's values
// stays recorded with the column.
void forget(const plan::Plan& plan, const Schema& schema, const std::string& data_role, Diff& out) {
    for (const auto& [key, recorded] : schema.recorded) {
        const auto [table, column] = parts(key.second);
        if (key.first == ObjectKind::default_value || key.first == ObjectKind::generated) {
            if (!has_column(plan, table, column)) out.gone.push_back(key);
        } else if (key.first == ObjectKind::table && find(plan, table) == nullptr) {
            out.gone.push_back(key);
            const auto found = schema.tables.find(table);
            if (found != schema.tables.end()) retire(table, found->second, data_role, out);
        }
    }
}

void drop_stand_ins(const plan::Plan& plan, const Schema& schema, Diff& out) {
    for (const auto& [key, table] : schema.later) {
        if (key.first != ObjectKind::not_null || has_column(plan, table, parts(key.second).second))
            continue;
        out.steps.push_back({{ChangeKind::drop_constraint, table, "",
                              "alter table if exists " + plan::table(table) +
                                  " drop constraint if exists " + ident(stand_in_name(key.second))},
                             ""});
        out.settled.push_back(key);
    }
}

}  // namespace

RecomputedColumns diff_tables(const plan::Plan& plan, const Schema& schema,
                              const std::string& data_role, Diff& out) {
    RecomputedColumns recomputed;
    for (const Table& table : plan.tables) {
        if (!table.external) TableDiff(plan, table, schema, recomputed, out).run();
    }
    forget(plan, schema, data_role, out);
    drop_stand_ins(plan, schema, out);
    for (const auto& [name, state] : schema.tables) {
        if (find(plan, name) == nullptr) out.leftovers.push_back({Leftover::Kind::table, name, ""});
    }
    return recomputed;
}

}  // namespace svc::migrate
