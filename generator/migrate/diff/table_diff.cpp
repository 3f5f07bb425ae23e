#include "migrate/diff/table_diff.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "migrate/diff/renames.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::Column;
using plan::ident;

// Before the word for a type: nobody wrote the values.
const std::string kComputed = "computed ";

// A value that each row gets anew.
bool differs_by_row(const std::string& default_sql) {
    return mentions(default_sql, "nextval") || mentions(default_sql, "new_id");
}

}  // namespace

std::string TableDiff::definition(const Column& column) {
    std::string sql = ident(column.name) + " " + column.sql_type;
    if (!column.generated_sql.empty()) {
        sql += " generated always as (" + column.generated_sql + ") stored";
    } else if (!column.default_sql.empty()) {
        sql += " default " + column.default_sql;
    }
    if (column.not_null) sql += " not null";
    return sql;
}

void TableDiff::run() {
    record(ObjectKind::table, table_.name, "", true);
    const auto found = schema_.tables.find(table_.name);
    if (found == schema_.tables.end()) {
        create();
    } else {
        now_ = found->second;
        if (!made_by_contract(schema_, table_.name)) adopt();
        alter();
    }
    if (found == schema_.tables.end() || !found->second.row_security) {
        step(ChangeKind::enable_row_security, "", alter_table() + "enable row level security",
             table_.path);
    }
}

void TableDiff::create() {
    std::string sql = "create table " + plan::table(table_.name) + " (";
    for (const Column& column : table_.columns) {
        sql += (&column == &table_.columns.front() ? "\n    " : ",\n    ") + definition(column);
        if (column.name == "id") sql += " primary key";
        record_column(column);
    }
    step(ChangeKind::create_table, "", sql + "\n)", table_.path);
}

void TableDiff::adopt() {
    const std::string there =
        "The database has a table " + table_.name + " that no contract created";
    if (now_.id_is_key) {
        out_.findings.warning("TABLE_ADOPTED", table_.path,
                              there + ". It becomes the entity's table, with its rows.");
    } else {
        out_.findings.error("TABLE_IN_THE_WAY", table_.path,
                            there + ", and its primary key is not a uuid named id.",
                            "Give the entity another name, or create the table again with id uuid "
                            "primary key.");
    }
}

void TableDiff::alter() {
    rename();
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
    keep_shape();
}

void TableDiff::rename() {
    std::set<std::string> existing;
    for (const auto& [name, state] : now_.columns) existing.insert(name);
    const Renames found = renames(names_of(table_.columns), existing);
    for (const auto& [from, to] : found.moves) {
        step(ChangeKind::rename_column, to,
             alter_table() + "rename column " + ident(from) + " to " + ident(to), path_of(to));
        out_.steps.back().renames = from;
        auto moved = now_.columns.extract(from);
        moved.key() = to;
        now_.columns.insert(std::move(moved));
        was_[to] = from;
    }
    for (const auto& [name, from] : found.stuck) {
        out_.findings.warning("RENAME_SKIPPED", path_of(name),
                              table_.name + " has both " + from + " and " + name +
                                  ", so no column is renamed: " + from +
                                  " keeps its values, and svc no longer manages it.",
                              "Remove renamedFrom, or copy the values with svc sql.");
    }
}

// Columns that are not a field any more keep their values and must not refuse rows without one.
void TableDiff::release_others() {
    for (auto& [name, state] : now_.columns) {
        if (is_field(name)) continue;
        out_.leftovers.push_back({Leftover::Kind::column, table_.name, name});
        if (state.generated) drop_expression(name, state);
        if (state.not_null)
            step(ChangeKind::drop_not_null, name, alter_column(name) + "drop not null",
                 table_.path);
    }
}

// Columns under their new names and types, so that a constraint's own text can be asked of them.
void TableDiff::keep_shape() {
    Shape shape;
    std::string plain, made;
    for (const Column& column : table_.columns) {
        if (!added_.contains(column.name) && !cast_.contains(column.name)) {
            shape.stored[column.name] = name_now(column);
        }
        if (!column.generated_sql.empty()) shape.computed[column.name] = column.generated_sql;
        const bool is_made = !column.generated_sql.empty() && added_.contains(column.name);
        if (is_made) {
            made += ", (" + column.generated_sql + ")::" + column.sql_type + " as " +
                    ident(column.name);
        } else {
            plain += (plain.empty() ? "" : ", ") + shape_of(column, shape.unknown) + " as " +
                     ident(column.name);
        }
    }
    shape.sql =
        "(select " + plain + " from " + plan::table(present_name(schema_, table_.name)) + ")";
    if (!made.empty()) shape.sql = "(select plain.*" + made + " from " + shape.sql + " plain)";
    out_.shapes[table_.name] = std::move(shape);
}

std::string TableDiff::shape_of(const Column& column, std::set<std::string>& unknown) const {
    if (added_.contains(column.name)) {
        const bool fixed = !differs_by_row(column.default_sql);
        if (!fixed) unknown.insert(column.name);
        return "(" + (fixed && !column.default_sql.empty() ? column.default_sql : "null") +
               ")::" + column.sql_type;
    }
    const auto cast = cast_.find(column.name);
    return cast == cast_.end() ? ident(name_now(column)) : cast->second;
}

void TableDiff::record(ObjectKind kind, const std::string& name, const std::string& text,
                       bool wanted) {
    const Key key{kind, name};
    const auto old = schema_.recorded.find(key);
    const std::string hash = base::sha256_hex(text);
    if (wanted && (old == schema_.recorded.end() || old->second.hash != hash)) {
        out_.made.push_back({key, hash, ""});
    }
    if (!wanted && old != schema_.recorded.end()) out_.gone.push_back(key);
}

void TableDiff::record_column(const Column& column) {
    record(ObjectKind::default_value, key(column), column.default_sql, !column.default_sql.empty());
    record(ObjectKind::generated, key(column), column.generated_sql, !column.generated_sql.empty());
    const Key type{ObjectKind::type, key(column)};
    const auto old = schema_.words.find(type);
    const std::string word = (column.generated_sql.empty() ? "" : kComputed) + column.type_word;
    if (!column.type_word.empty() && (old == schema_.words.end() || old->second != word)) {
        out_.made.push_back({type, word, ""});
    }
}

void TableDiff::step(ChangeKind kind, const std::string& column, std::string sql,
                     const std::string& path) {
    out_.steps.push_back({{kind, table_.name, column, std::move(sql)}, path});
}

std::string TableDiff::alter_table() const {
    return "alter table " + plan::table(table_.name) + " ";
}

std::string TableDiff::alter_column(const std::string& column) const {
    return alter_table() + "alter column " + ident(column) + " ";
}

// The name that a probe must use, since probes run before the first step.
std::string TableDiff::name_now(const Column& column) const {
    const auto renamed = was_.find(column.name);
    return renamed == was_.end() ? column.name : renamed->second;
}

std::string TableDiff::word_now(const Column& column) const {
    const auto word = schema_.words.find({ObjectKind::type, table_.name + "." + name_now(column)});
    if (word == schema_.words.end()) return {};
    return word->second.substr(was_computed(column) ? kComputed.size() : 0);
}

bool TableDiff::was_computed(const Column& column) const {
    const auto word = schema_.words.find({ObjectKind::type, table_.name + "." + name_now(column)});
    return word != schema_.words.end() && word->second.starts_with(kComputed);
}

bool TableDiff::is_field(const std::string& name) const {
    for (const Column& column : table_.columns) {
        if (column.name == name) return true;
    }
    return false;
}

std::string TableDiff::path_of(const std::string& column) const {
    const auto found = std::ranges::find(table_.columns, column, &Column::name);
    return found == table_.columns.end() ? table_.path : found->path;
}

}  // namespace svc::migrate
