#include "platform/table_query.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include "base/sql_state.hpp"
#include "common/iso_time.hpp"
#include "common/meant.hpp"
#include "common/table_names.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

constexpr int kRowsAtOnce = 20;
constexpr std::size_t kMostTableBytes = std::size_t{16} << 20;  // of an answer's rows

struct Column {
    std::string name, type_id, type;  // type: as SQL writes it
};

TableResult refused(std::string_view sqlstate, std::string message) {
    TableResult result;
    result.sqlstate = sqlstate;
    result.error = std::move(message);
    return result;
}

std::vector<Column> columns_of(pqxx::work& tx, const std::string& table) {
    std::vector<Column> out;
    for (const auto& row :
         tx.exec_params("select a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod) "
                        "from pg_attribute a join pg_class c on c.oid = a.attrelid "
                        "join pg_namespace n on n.oid = c.relnamespace "
                        "where n.nspname = 'public' and c.relname = $1 and c.relkind in ('r', 'p', "
                        "'v', 'm', 'f') "
                        "and a.attnum > 0 and not a.attisdropped order by a.attnum",
                        table))
        out.push_back({row[0].c_str(), row[1].c_str(), row[2].c_str()});
    return out;
}

const Column* find(const std::vector<Column>& columns, const std::string& name) {
    for (const Column& column : columns)
        if (column.name == name) return &column;
    return nullptr;
}

// A column as one JSON value; times as the APIs print them.
std::string value_sql(pqxx::work& tx, const Column& column) {
    const std::string name = tx.quote_name(column.name);
    if (column.type == "timestamp with time zone") return "to_json(" + iso_micros(name) + ")";
    return "to_json(" + name + ")";
}

std::string select_sql(pqxx::work& tx, const TableQuery& query,
                       const std::vector<Column>& columns) {
    std::string list, where;
    for (const Column& column : columns)
        list.append(list.empty() ? "" : ", ").append(value_sql(tx, column)).append("::text");
    int number = 0;
    for (const auto& [name, value] : query.where) {
        const Column& column = *find(columns, name);
        where += where.empty() ? " where " : " and ";
        where += tx.quote_name(name);
        where += value ? " = $" + std::to_string(++number) + "::" + column.type : " is null";
    }
    const std::string order = find(columns, "id") ? " order by id" : "";
    return "select " + list + " from public." + tx.quote_name(query.table) + where + order +
           " limit " + std::to_string(query.limit + 1);
}

std::string row_text(const pqxx::row& row, const std::vector<Column>& columns) {
    std::string out = "{";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out.append(i ? "," : "").append(nlohmann::json(columns[i].name).dump()).append(":");
        const auto field = row[static_cast<pqxx::row::size_type>(i)];
        out += field.is_null() ? "null" : field.c_str();
    }
    return out + "}";
}

// Reads a few rows at a time, so a table of large values is never in memory as a whole.
void fetch(pqxx::work& tx, std::size_t most, const std::vector<Column>& columns,
           TableResult& result) {
    std::size_t bytes = 0;
    for (;;) {
        const auto rows = tx.exec("fetch " + std::to_string(kRowsAtOnce) + " from found");
        for (const auto& row : rows) {
            std::string text = row_text(row, columns);
            bytes += text.size();
            result.truncated = result.rows.size() == most || bytes > kMostTableBytes;
            if (result.truncated) return;
            result.rows.push_back(std::move(text));
        }
        if (rows.size() < kRowsAtOnce) return;
    }
}

std::vector<std::string> tables_of(pqxx::work& tx) {
    std::vector<std::string> out;
    for (const auto& row : tx.exec(kTableNames)) out.emplace_back(row[0].c_str());
    return out;
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
    std::vector<std::string> out;
    out.reserve(columns.size());
    for (const Column& column : columns) out.push_back(column.name);
    return out;
}

TableResult read(pqxx::work& tx, const TableQuery& query) {
    const std::vector<Column> columns = columns_of(tx, query.table);
    if (columns.empty())
        return refused(
            base::sqlstate::kNoTable,
            with_meant("There is no table '" + query.table + "'.", query.table, tables_of(tx)));
    std::vector<std::string> values;
    for (const auto& [name, value] : query.where) {
        if (!find(columns, name))
            return refused(base::sqlstate::kNoColumn,
                           with_meant("Table '" + query.table + "' has no column '" + name + "'.",
                                      name, names_of(columns)));
        if (value) values.push_back(*value);
    }
    tx.exec_params("declare found no scroll cursor for " + select_sql(tx, query, columns),
                   pqxx::prepare::make_dynamic_params(values));
    TableResult result;
    for (const Column& column : columns) result.fields.push_back({column.name, column.type_id});
    fetch(tx, static_cast<std::size_t>(query.limit), columns, result);
    return result;
}

}  // namespace

TableResult run_table_query(const std::string& database_url, const TableQuery& query) {
    pqxx::connection connection(database_url);
    pqxx::work tx(connection);
    try {
        tx.exec(
            "set transaction read only; set local statement_timeout = '10s'; set local timezone = "
            "'UTC'");
        return read(tx, query);
    } catch (const pqxx::sql_error& error) {
        return refused(error.sqlstate(), words_of(error));
    }
}

}  // namespace svc::devapi
