// Decides what happens to each column of an existing table.
#include "base/sha256.hpp"
#include "migrate/diff/table_diff.hpp"
#include "plan/names.hpp"

namespace svc::migrate {

using plan::Column;
using plan::ident;

void TableDiff::change_type(const Column& column) {
    const auto found = now_.columns.find(column.name);
    if (found == now_.columns.end() || !column.generated_sql.empty()) return;
    ColumnState& now = found->second;
    const std::string type = canonical_type(column.sql_type);
    if (meaning_differs(word_now(column), column.type_word)) {
        out_.probes.push_back({Probe::Kind::means_other,
                               table_.name,
                               name_now(column),
                               word_now(column),
                               column.type_word,
                               column.path,
                               {}});
    }
    if (now.type == type) return;
    disturb(column);
    if (now.generated) drop_expression(column.name, now);
    if (now.has_default) {
        step(ChangeKind::drop_default, column.name, alter_column(column.name) + "drop default",
             column.path);
        now.has_default = false;
    }
    ask_cast(column, now.type, type);
    const auto cast = cast_between(ident(column.name), now.type, type, plan_.timezone);
    step(ChangeKind::alter_type, column.name,
         alter_column(column.name) + "type " + column.sql_type + " using " +
             (cast ? cast->value : "null::" + column.sql_type),
         column.path);
    out_.steps.back().rewrites = rewrites(now.type, type);
    now.type = type;
}

void TableDiff::ask_cast(const Column& column, const std::string& was, const std::string& type) {
    const std::string name = name_now(column);
    const auto cast = cast_between(ident(name), was, type, plan_.timezone);
    out_.probes.push_back({cast ? Probe::Kind::casts : Probe::Kind::no_cast, table_.name, name, was,
                           type, column.path, cast.value_or(Cast{}), column.name});
    cast_[column.name] = cast ? cast->value : "null::" + column.sql_type;
}

// Generated columns that use the column would block its change.
void TableDiff::disturb(const Column& column) {
    const TableColumn changed{table_.name, name_now(column)};
    recomputed_.insert(changed);
    for (const Column& other : table_.columns) {
        const auto found = now_.columns.find(other.name);
        if (found == now_.columns.end() || !found->second.generated) continue;
        const Key made{ObjectKind::generated, table_.name + "." + name_now(other)};
        if (!stands_on(schema_, made, changed)) continue;
        if (other.generated_sql.empty()) {
            drop_expression(other.name, found->second);
        } else {
            drop_generated(other);
        }
    }
    release_made_of(changed);
}

// Computed fields that left the contract earlier, or leave it now.
void TableDiff::release_made_of(const TableColumn& changed) {
    for (auto& [name, state] : now_.columns) {
        if (!state.generated || is_field(name)) continue;
        const Key made{ObjectKind::generated, table_.name + "." + name};
        if (stands_on(schema_, made, changed)) drop_expression(name, state);
    }
}

// The values stay, in an ordinary column.
void TableDiff::drop_expression(const std::string& name, ColumnState& state) {
    step(ChangeKind::drop_expression, name, alter_column(name) + "drop expression", path_of(name));
    state.generated = false;
}

void TableDiff::drop_generated(const Column& column) {
    recomputed_.insert({table_.name, name_now(column)});
    step(ChangeKind::drop_generated, column.name,
         alter_table() + "drop column " + ident(column.name), column.path);
    now_.columns.erase(column.name);
}

void TableDiff::bring(const Column& column) {
    const auto found = now_.columns.find(column.name);
    if (found == now_.columns.end()) {
        add(column);
        return;
    }
    if (found->second.generated) drop_expression(column.name, found->second);
    bring_default(column, found->second);
    bring_not_null(column, found->second);
}

void TableDiff::bring_not_null(const Column& column, const ColumnState& now) {
    const Key later{ObjectKind::not_null, key(column)};
    const bool deferred = schema_.later.contains(later);
    if (!column.not_null && deferred) {
        step(ChangeKind::drop_constraint, column.name,
             alter_table() + "drop constraint if exists " + ident(stand_in_name(later.second)),
             column.path);
        out_.settled.push_back(later);
    }
    if (column.not_null == now.not_null || (column.not_null && deferred)) return;
    if (column.not_null) {
        out_.probes.push_back(
            {Probe::Kind::has_nulls, table_.name, name_now(column), "", "", column.path, {}});
    }
    step(column.not_null ? ChangeKind::set_not_null : ChangeKind::drop_not_null, column.name,
         alter_column(column.name) + (column.not_null ? "set not null" : "drop not null"),
         column.path);
}

void TableDiff::add(const Column& column) {
    added_[column.name] = &column;
    if (column.not_null && column.default_sql.empty() && column.generated_sql.empty()) {
        out_.probes.push_back(
            {Probe::Kind::needs_default, table_.name, column.name, "", "", column.path, {}});
    }
    step(ChangeKind::add_column, column.name, alter_table() + "add column " + definition(column),
         column.path);
    // Other defaults are worked out once, and stored rows are told by the catalogue.
    out_.steps.back().rewrites =
        !column.generated_sql.empty() || mentions(column.default_sql, "nextval");
}

bool TableDiff::is_as_recorded(ObjectKind kind, const Column& column, const std::string& text) {
    const Key key{kind, this->key(column)};
    const auto old = schema_.recorded.find(key);
    if (old == schema_.recorded.end() || old->second.hash != base::sha256_hex(text)) return false;
    if (!changed_by_hand(schema_, key)) return true;
    out_.findings.warning(
        "CHANGED_BY_HAND", column.path,
        "The value of " + table_.name + "." + column.name +
            " was changed in the database by hand. This apply sets it to the contract's value.");
    return false;
}

// A default that no contract gave goes as well: the column is the contract's.
void TableDiff::bring_default(const Column& column, const ColumnState& now) {
    const std::string& wanted = column.default_sql;
    if (wanted.empty()) {
        if (now.has_default) {
            step(ChangeKind::drop_default, column.name, alter_column(column.name) + "drop default",
                 column.path);
        }
    } else if (!is_as_recorded(ObjectKind::default_value, column, wanted) || !now.has_default) {
        step(ChangeKind::set_default, column.name,
             alter_column(column.name) + "set default " + wanted, column.path);
    }
}

void TableDiff::bring_generated(const Column& column) {
    const auto found = now_.columns.find(column.name);
    if (found != now_.columns.end()) {
        const bool same_type = found->second.type == canonical_type(column.sql_type);
        if (found->second.generated && same_type &&
            is_as_recorded(ObjectKind::generated, column, column.generated_sql)) {
            return;
        }
        // An ordinary column holds what people wrote: it may go if it holds nothing.
        if (!found->second.generated && !was_computed(column)) {
            out_.probes.push_back({Probe::Kind::holds_values,
                                   table_.name,
                                   name_now(column),
                                   "",
                                   "",
                                   column.path,
                                   {}});
        }
        drop_generated(column);
    }
    add(column);
}

}  // namespace svc::migrate
