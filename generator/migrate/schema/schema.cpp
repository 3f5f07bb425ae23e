#include "migrate/schema/schema.hpp"

#include <algorithm>

namespace svc::migrate {
namespace {

// format_type() prints the second.
const std::map<std::string, std::string> kAliases = {
    {"timestamptz", "timestamp with time zone"},
    {"timestamp", "timestamp without time zone"},
    {"timetz", "time with time zone"},
    {"time", "time without time zone"},
    {"int8", "bigint"},
    {"int4", "integer"},
    {"int", "integer"},
    {"float8", "double precision"},
    {"decimal", "numeric"},
    {"bool", "boolean"},
    {"varchar", "character varying"},
};

void read_tables(pqxx::transaction_base& tx, Schema& schema) {
    // Rows as the planner counts them: those of a page by the pages that there are now.
    const auto rows = tx.exec(
        "select c.relname, c.relrowsecurity, a.attname, format_type(a.atttypid, a.atttypmod),"
        " a.attnotnull, a.atthasdef, a.attgenerated <> '',"
        " (case when c.reltuples >= 0 and c.relpages > 0 then c.reltuples / c.relpages else 60 end"
        "  * (pg_relation_size(c.oid) / current_setting('block_size')::bigint))::bigint,"
        " exists (select from pg_index k join pg_attribute i on i.attrelid = c.oid and"
        "  i.attnum = k.indkey[0] where k.indrelid = c.oid and k.indisprimary and k.indnatts = 1"
        "  and i.attname = 'id' and i.atttypid = 'uuid'::regtype),"
        " (select k.conname from pg_constraint k where k.conrelid = c.oid and k.contype = 'p') "
        "from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')"
        " and a.attnum > 0 and not a.attisdropped");
    for (const auto& row : rows) {
        TableState& table = schema.tables[row[0].c_str()];
        table.row_security = row[1].as<bool>();
        table.rows = row[7].as<std::int64_t>();
        table.id_is_key = row[8].as<bool>();
        table.key = row[9].as<std::string>("");
        ColumnState& column = table.columns[row[2].c_str()];
        column.type = row[3].c_str();
        column.not_null = row[4].as<bool>();
        column.generated = row[6].as<bool>();
        column.has_default = row[5].as<bool>() && !column.generated;
    }
}

bool has_table(pqxx::transaction_base& tx, const char* name) {
    return !tx.exec1("select to_regclass('" + std::string(name) + "') is null")[0].as<bool>();
}

void read_former(pqxx::transaction_base& tx, Schema& schema) {
    if (!has_table(tx, "svc.former_table")) return;
    for (const auto& row : tx.exec("select was, becomes from svc.former_table order by seq")) {
        auto names = schema.former.extract(row[0].c_str());
        auto& all = schema.former[row[1].c_str()];
        if (names) all.merge(names.mapped());
        all.insert(row[0].c_str());
    }
}

// A database of an earlier compiler has no `printed` yet: by way of the row as a whole.
void read_recorded(pqxx::transaction_base& tx, Schema& schema) {
    if (!has_table(tx, "svc.managed")) return;
    for (const auto& row : tx.exec("select kind, name, hash, drop_sql, place,"
                                   " to_jsonb(m) ->> 'printed' from svc.managed m")) {
        const auto kind = base::read_word<ObjectKind>(row[0].c_str());
        if (!kind) continue;
        const Key key{*kind, row[1].c_str()};
        if (key.first == ObjectKind::type) {
            schema.words[key] = row[2].c_str();
        } else {
            schema.recorded[key] = {row[2].c_str(), row[3].c_str(), row[4].as<std::int64_t>(),
                                    row[5].as<std::string>("")};
        }
    }
}

void read_later(pqxx::transaction_base& tx, Schema& schema) {
    if (!has_table(tx, "svc.pending")) return;
    for (const auto& row : tx.exec("select kind, name, table_name from svc.pending")) {
        if (const auto kind = base::read_word<ObjectKind>(row[0].c_str()))
            schema.later[{*kind, row[1].c_str()}] = row[2].c_str();
    }
}

}  // namespace

Schema read_schema(pqxx::transaction_base& tx, const std::string& data_role) {
    Schema schema;
    read_tables(tx, schema);
    read_recorded(tx, schema);
    read_former(tx, schema);
    read_later(tx, schema);
    schema.found = read_found(tx, data_role);
    schema.dependents = read_dependents(tx);
    return schema;
}

const std::string& present_name(const Schema& schema, const std::string& table) {
    const auto found = schema.called.find(table);
    return found == schema.called.end() ? table : found->second;
}

// The kinds of values stay recorded when a table leaves the contract.
bool made_by_contract(const Schema& schema, const std::string& table) {
    if (schema.recorded.contains({ObjectKind::table, table})) return true;
    const std::string prefix = table + ".";
    return std::ranges::any_of(
        schema.words, [&](const auto& word) { return word.first.second.starts_with(prefix); });
}

std::string recorded_hash(pqxx::transaction_base& tx, const Key& key) {
    if (!has_table(tx, "svc.managed")) return {};
    const auto rows = tx.exec_params("select hash from svc.managed where kind = $1 and name = $2",
                                     std::string(base::word(key.first)), key.second);
    return rows.empty() ? "" : rows[0][0].c_str();
}

std::string canonical_type(const std::string& type) {
    const auto end = type.find_first_of("([");
    const std::string base = type.substr(0, end);
    std::string rest = end == std::string::npos ? "" : type.substr(end);
    rest.erase(std::remove(rest.begin(), rest.end(), ' '), rest.end());
    const auto alias = kAliases.find(base);
    return (alias == kAliases.end() ? base : alias->second) + rest;
}

}  // namespace svc::migrate
