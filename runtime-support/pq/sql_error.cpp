#include "pq/sql_error.hpp"

#include <cstdlib>

namespace svc::pq {
namespace {

// Decided by the place in PostgreSQL's source that raises it: the context's text depends on the
// server's language.
bool came_by_wrapper(const PGresult* result) {
    const std::string raised_by = diagnosis(result, PG_DIAG_SOURCE_FUNCTION);
    return raised_by.starts_with("pgfdw_") || raised_by == "connect_pg_server";
}

}  // namespace

std::string diagnosis(const PGresult* result, int field) {
    const char* text = PQresultErrorField(result, field);
    return text == nullptr ? std::string() : text;
}

Complaint complaint(const PGresult* result) {
    Complaint out;
    out.sqlstate = diagnosis(result, PG_DIAG_SQLSTATE);
    out.message = diagnosis(result, PG_DIAG_MESSAGE_PRIMARY);
    out.detail = diagnosis(result, PG_DIAG_MESSAGE_DETAIL);
    out.hint = diagnosis(result, PG_DIAG_MESSAGE_HINT);
    out.constraint = diagnosis(result, PG_DIAG_CONSTRAINT_NAME);
    out.column = diagnosis(result, PG_DIAG_COLUMN_NAME);
    out.table = diagnosis(result, PG_DIAG_TABLE_NAME);
    out.position =
        std::strtoull(diagnosis(result, PG_DIAG_STATEMENT_POSITION).c_str(), nullptr, 10);
    out.external = came_by_wrapper(result);
    return out;
}

}  // namespace svc::pq
