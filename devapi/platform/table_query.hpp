// Rows of one table of an app's database, by equality. Names are looked up in the catalogue; values
// are parameters.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace svc::devapi {

struct TableQuery {
    std::string table;
    std::vector<std::pair<std::string, std::optional<std::string>>> where;  // none: is null
    int limit = 50;
};

struct TableField {
    std::string name, type;  // type: its number in PostgreSQL
};

struct TableResult {
    std::vector<TableField> fields;
    std::vector<std::string> rows;  // JSON objects, every digit kept
    bool truncated = false;         // there are more, beyond the limit or beyond 16 MB
    std::string error, sqlstate;    // set: nothing else is
};

// Read only, ten seconds at most. Throws pqxx::broken_connection.
TableResult run_table_query(const std::string& database_url, const TableQuery& query);

}  // namespace svc::devapi
