#include "migrate/schema.hpp"

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
    const auto rows = tx.exec(
        "select c.relname, c.relrowsecurity, a.attname, format_type(a.atttypid, a.atttypmod),"
        " a.attnotnull, a.atthasdef, a.attgenerated <> '' "
        "from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')"
        " and a.attnum > 0 and not a.attisdropped");
    for (const auto& row : rows) {
        TableState& table = schema.tables[row[0].c_str()];
        table.row_security = row[1].as<bool>();
        ColumnState& column = table.columns[row[2].c_str()];
        column.type = row[3].c_str();
        column.not_null = row[4].as<bool>();
        column.generated = row[6].as<bool>();
        column.has_default = row[5].as<bool>() && !column.generated;
    }
}

void read_recorded(pqxx::transaction_base& tx, Schema& schema) {
    if (tx.exec1("select to_regclass('svc.managed') is null")[0].as<bool>()) return;
    for (const auto& row : tx.exec("select kind, name, hash, drop_sql, place from svc.managed")) {
        schema.recorded[{row[0].c_str(), row[1].c_str()}] = {row[2].c_str(), row[3].c_str(),
                                                             row[4].as<std::int64_t>()};
    }
}

}  // namespace

Schema read_schema(pqxx::transaction_base& tx) {
    Schema schema;
    read_tables(tx, schema);
    read_recorded(tx, schema);
    return schema;
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
