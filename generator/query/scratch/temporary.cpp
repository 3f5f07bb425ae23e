#include "query/scratch/temporary.hpp"

#include "plan/names.hpp"

namespace svc::query {

std::string temporary_table(const plan::Table& table) {
    std::string columns;
    for (const plan::Column& column : table.columns) {
        columns += (columns.empty() ? "" : ", ") + plan::ident(column.name) + " " + column.sql_type;
        if (column.name == "id") columns += " primary key";
        if (!column.generated_sql.empty()) {
            columns += " generated always as (null::" + column.sql_type + ") stored";
        }
    }
    return "create temporary table " + plan::ident(table.name) + " (" + columns + ");";
}

}  // namespace svc::query
