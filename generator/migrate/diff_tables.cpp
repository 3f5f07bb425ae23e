#include "hash/sha256.hpp"
#include "migrate/diff.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::Column;
using plan::ident;
using plan::Table;

std::string definition(const Column& column) {
    std::string sql = ident(column.name) + " " + column.sql_type;
    if (!column.generated_sql.empty()) {
        sql += " generated always as (" + column.generated_sql + ") stored";
    } else if (!column.default_sql.empty()) {
        sql += " default " + column.default_sql;
    }
    if (column.not_null) sql += " not null";
    return sql;
}

// One table of the plan against the table as it is.
class TableDiff {
  public:
    TableDiff(const Table& table, const Schema& schema, Disturbed& disturbed, Diff& out)
        : table_(table), schema_(schema), disturbed_(disturbed), out_(out) {}

    void run() {
        record("table", table_.name, "", true);
        const auto found = schema_.tables.find(table_.name);
        if (found == schema_.tables.end()) {
            create();
        } else {
            now_ = found->second;
            alter();
        }
        if (found == schema_.tables.end() || !found->second.row_security) {
            step("enable_row_security", "", alter_table() + "enable row level security",
                 table_.path);
        }
    }

  private:
    std::string alter_table() const { return "alter table " + plan::table(table_.name) + " "; }
    std::string alter_column(const Column& column) const {
        return alter_table() + "alter column " + ident(column.name) + " ";
    }
    std::string key(const Column& column) const { return table_.name + "." + column.name; }

    void step(std::string kind, std::string column, std::string sql, const std::string& path) {
        out_.steps.push_back(
            {{std::move(kind), table_.name, std::move(column), std::move(sql)}, path, false});
    }

    void record(const char* kind, const std::string& name, const std::string& text, bool wanted) {
        const Key key{kind, name};
        const auto old = schema_.recorded.find(key);
        const std::string hash = hash::sha256(text);
        if (wanted && (old == schema_.recorded.end() || old->second.hash != hash)) {
            out_.made.push_back({key, hash, ""});
        }
        if (!wanted && old != schema_.recorded.end()) out_.gone.push_back(key);
    }

    bool recorded(const char* kind, const Column& column) const {
        return schema_.recorded.contains({kind, key(column)});
    }
    bool recorded_as(const char* kind, const Column& column, const std::string& text) const {
        const auto old = schema_.recorded.find({kind, key(column)});
        return old != schema_.recorded.end() && old->second.hash == hash::sha256(text);
    }

    void record_column(const Column& column) {
        record("default", key(column), column.default_sql, !column.default_sql.empty());
        record("generated", key(column), column.generated_sql, !column.generated_sql.empty());
    }

    void create() {
        std::string sql = "create table " + plan::table(table_.name) + " (";
        for (const Column& column : table_.columns) {
            sql += (&column == &table_.columns.front() ? "\n    " : ",\n    ") + definition(column);
            if (column.name == "id") sql += " primary key";
            record_column(column);
        }
        step("create_table", "", sql + "\n)", table_.path);
    }

    void alter() {
        for (const Column& column : table_.columns) rename(column);
        for (const Column& column : table_.columns) change_type(column);
        // Generated columns last: they are made of the others.
        for (const Column& column : table_.columns) {
            if (column.generated_sql.empty()) bring(column);
        }
        for (const Column& column : table_.columns) {
            if (!column.generated_sql.empty()) bring_generated(column);
        }
        for (const Column& column : table_.columns) record_column(column);
        release_others();
    }

    void rename(const Column& column) {
        if (column.renamed_from.empty() || now_.columns.contains(column.name)) return;
        auto old = now_.columns.extract(column.renamed_from);
        if (old.empty()) return;
        step("rename_column", column.name,
             alter_table() + "rename column " + ident(column.renamed_from) + " to " +
                 ident(column.name),
             column.path);
        old.key() = column.name;
        now_.columns.insert(std::move(old));
        was_[column.name] = column.renamed_from;
    }

    // The name that a probe must use, since probes run before the first step.
    std::string name_now(const Column& column) const {
        const auto renamed = was_.find(column.name);
        return renamed == was_.end() ? column.name : renamed->second;
    }

    void change_type(const Column& column) {
        const auto found = now_.columns.find(column.name);
        if (found == now_.columns.end() || !column.generated_sql.empty()) return;
        ColumnState& now = found->second;
        const std::string type = canonical_type(column.sql_type);
        if (now.type == type) return;
        disturb(column);
        if (now.generated) {
            step("drop_expression", column.name, alter_column(column) + "drop expression",
                 column.path);
            now.generated = false;
        }
        if (now.has_default) {
            step("drop_default", column.name, alter_column(column) + "drop default", column.path);
            now.has_default = false;
        }
        const std::string was = now.type;
        out_.probes.push_back(
            {Probe::Kind::casts, table_.name, name_now(column), was, type, column.path});
        step("alter_type", column.name,
             alter_column(column) + "type " + column.sql_type + " using " +
                 cast_expression(column.name, was, type),
             column.path);
        now.type = type;
    }

    // Generated columns that are made of it stand in the way of its change.
    void disturb(const Column& column) {
        disturbed_.insert({table_.name, column.name});
        for (const Column& other : table_.columns) {
            const auto found = now_.columns.find(other.name);
            if (found == now_.columns.end() || !found->second.generated) continue;
            if (!mentions(other.generated_sql, column.name)) continue;
            drop_generated(other);
        }
    }

    void drop_generated(const Column& column) {
        disturbed_.insert({table_.name, column.name});
        step("drop_generated", column.name, alter_table() + "drop column " + ident(column.name),
             column.path);
        now_.columns.erase(column.name);
    }

    void bring(const Column& column) {
        const auto found = now_.columns.find(column.name);
        if (found == now_.columns.end()) {
            add(column);
            return;
        }
        if (found->second.generated) {
            step("drop_expression", column.name, alter_column(column) + "drop expression",
                 column.path);
        }
        bring_default(column, found->second);
        if (column.not_null == found->second.not_null) return;
        if (column.not_null) {
            out_.probes.push_back(
                {Probe::Kind::has_nulls, table_.name, name_now(column), "", "", column.path});
        }
        step(column.not_null ? "set_not_null" : "drop_not_null", column.name,
             alter_column(column) + (column.not_null ? "set not null" : "drop not null"),
             column.path);
    }

    void add(const Column& column) {
        if (column.not_null && column.default_sql.empty() && column.generated_sql.empty()) {
            out_.probes.push_back(
                {Probe::Kind::needs_default, table_.name, column.name, "", "", column.path});
        }
        step("add_column", column.name, alter_table() + "add column " + definition(column),
             column.path);
    }

    void bring_default(const Column& column, const ColumnState& now) {
        const std::string& wanted = column.default_sql;
        if (wanted.empty()) {
            if (now.has_default && recorded("default", column)) {
                step("drop_default", column.name, alter_column(column) + "drop default",
                     column.path);
            }
        } else if (!now.has_default || !recorded_as("default", column, wanted)) {
            step("set_default", column.name, alter_column(column) + "set default " + wanted,
                 column.path);
        }
    }

    void bring_generated(const Column& column) {
        const auto found = now_.columns.find(column.name);
        if (found != now_.columns.end()) {
            const bool same_type = found->second.type == canonical_type(column.sql_type);
            if (found->second.generated && same_type &&
                recorded_as("generated", column, column.generated_sql)) {
                return;
            }
            // An ordinary column holds what people wrote: it may go where it holds nothing.
            if (!found->second.generated) {
                out_.probes.push_back({Probe::Kind::holds_values, table_.name, name_now(column), "",
                                       "", column.path});
            }
            drop_generated(column);
        }
        add(column);
    }

    // Columns that are no field any more keep their values and must not refuse rows without one.
    void release_others() {
        for (const auto& [name, state] : now_.columns) {
            if (is_field(name)) continue;
            const std::string alter = alter_table() + "alter column " + ident(name) + " ";
            if (state.generated)
                step("drop_expression", name, alter + "drop expression", table_.path);
            if (state.not_null) step("drop_not_null", name, alter + "drop not null", table_.path);
            for (const char* kind : {"default", "generated"}) {
                const Key key{kind, table_.name + "." + name};
                if (schema_.recorded.contains(key)) out_.gone.push_back(key);
            }
        }
    }

    bool is_field(const std::string& name) const {
        for (const Column& column : table_.columns) {
            if (column.name == name) return true;
        }
        return false;
    }

    const Table& table_;
    const Schema& schema_;
    Disturbed& disturbed_;
    Diff& out_;
    TableState now_;                          // as it will be after the steps so far
    std::map<std::string, std::string> was_;  // renamed columns
};

// Through text, so that nothing is rounded in silence: 1.5 is no bigint. 1.00 is.
std::string as_text(const std::string& column, const std::string& from) {
    return from.starts_with("numeric") ? "trim_scale(" + ident(column) + ")::text"
                                       : ident(column) + "::text";
}

// Its rows stay; the app's callers have no way to them, and other writers are not refused.
void retire(const std::string& name, const TableState& table, const std::string& data_role,
            Diff& out) {
    const auto step = [&](const char* kind, const std::string& column, const std::string& sql) {
        out.steps.push_back({{kind, name, column, sql}, "", false});
    };
    step("retire_table", "", "revoke all on " + plan::table(name) + " from " + data_role);
    for (const auto& [column, state] : table.columns) {
        if (!state.not_null || column == "id") continue;
        step("drop_not_null", column,
             "alter table " + plan::table(name) + " alter column " + ident(column) +
                 " drop not null");
    }
}

bool in_plan(const plan::Plan& plan, const std::string& table) {
    for (const Table& one : plan.tables) {
        if (one.name == table) return true;
    }
    return false;
}

}  // namespace

std::string cast_expression(const std::string& column, const std::string& from,
                            const std::string& to) {
    return as_text(column, from) + "::" + to;
}

Disturbed diff_tables(const plan::Plan& plan, const Schema& schema, const std::string& data_role,
                      Diff& out) {
    Disturbed disturbed;
    for (const Table& table : plan.tables) TableDiff(table, schema, disturbed, out).run();
    for (const auto& [key, recorded] : schema.recorded) {
        const auto& [kind, name] = key;
        const bool column_fact = kind == "default" || kind == "generated";
        if (kind != "table" && !column_fact) continue;
        const std::string table = name.substr(0, name.find('.'));
        if (in_plan(plan, table)) continue;
        out.gone.push_back(key);
        const auto found = schema.tables.find(table);
        if (kind == "table" && found != schema.tables.end()) {
            retire(name, found->second, data_role, out);
        }
    }
    return disturbed;
}

}  // namespace svc::migrate
