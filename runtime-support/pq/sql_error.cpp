#include "pq/sql_error.hpp"

#include <cstdlib>

#include "base/sql_state.hpp"

namespace svc::pq {
namespace {

// Decided by the place in PostgreSQL's source that raises it: the context's text depends on the
// server's language.
bool came_by_wrapper(const PGresult* result) {
    const std::string raised_by = error_field(result, PG_DIAG_SOURCE_FUNCTION);
    return raised_by.starts_with("pgfdw_") || raised_by == "connect_pg_server";
}

}  // namespace

std::string error_field(const PGresult* result, int field) {
    const char* text = PQresultErrorField(result, field);
    return text == nullptr ? std::string() : text;
}

std::string SqlError::loggable() const {
    return base::sqlstate::is_of_data(sqlstate) ? std::string() : message;
}

SqlError error_of(const PGresult* result) {
    SqlError out;
    out.sqlstate = error_field(result, PG_DIAG_SQLSTATE);
    out.message = error_field(result, PG_DIAG_MESSAGE_PRIMARY);
    out.detail = error_field(result, PG_DIAG_MESSAGE_DETAIL);
    out.hint = error_field(result, PG_DIAG_MESSAGE_HINT);
    out.constraint = error_field(result, PG_DIAG_CONSTRAINT_NAME);
    out.column = error_field(result, PG_DIAG_COLUMN_NAME);
    out.table = error_field(result, PG_DIAG_TABLE_NAME);
    out.position =
        std::strtoull(error_field(result, PG_DIAG_STATEMENT_POSITION).c_str(), nullptr, 10);
    out.external = came_by_wrapper(result);
    return out;
}

}  // namespace svc::pq
