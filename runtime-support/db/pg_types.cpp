#include "db/pg_types.hpp"

namespace svc::db {

Oid oid(Type type) {
    switch (type) {
        case Type::text:
        case Type::enumeration:
            return 25;
        case Type::integer:
        case Type::money:
            return 20;
        case Type::decimal:
            return 1700;
        case Type::floating:
            return 701;
        case Type::boolean:
            return 16;
        case Type::date:
            return 1082;
        case Type::time:
            return 1083;
        case Type::timestamp:
            return 1184;
        case Type::tags:
            return 1009;
        case Type::json:
            return 3802;
        case Type::uuid:
            return 2950;
        case Type::key:
            return 0;  // PostgreSQL takes it from what the parameter stands beside
    }
    return 0;
}

namespace {

std::string field(const PGresult* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text != nullptr ? text : "";
}

}  // namespace

// By the place that raises it: what the context says has the language of the server.
bool came_by_wrapper(const PGresult* result) {
    const std::string raised_by = field(result, PG_DIAG_SOURCE_FUNCTION);
    return raised_by.starts_with("pgfdw_") || raised_by == "connect_pg_server";
}

Outcome failure(const PGresult* result) {
    Outcome outcome;
    outcome.complain().sqlstate = field(result, PG_DIAG_SQLSTATE);
    outcome.complain().message = field(result, PG_DIAG_MESSAGE_PRIMARY);
    outcome.complain().detail = field(result, PG_DIAG_MESSAGE_DETAIL);
    outcome.complain().hint = field(result, PG_DIAG_MESSAGE_HINT);
    outcome.complain().constraint = field(result, PG_DIAG_CONSTRAINT_NAME);
    outcome.complain().column = field(result, PG_DIAG_COLUMN_NAME);
    outcome.complain().table = field(result, PG_DIAG_TABLE_NAME);
    outcome.complain().external = came_by_wrapper(result);
    if (outcome.why().sqlstate.empty()) {  // libpq's own complaint
        outcome.complain().sqlstate = "XX000";
        outcome.complain().message = PQresultErrorMessage(result);
    }
    return outcome;
}

// 0A000 is also "feature not supported", so the place that raises it decides, whatever the language
// of the message.
bool stale_plan(const PGresult* result, const Outcome& outcome) {
    if (outcome.why().sqlstate == "26000") return true;
    return outcome.why().sqlstate == "0A000" &&
           field(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery";
}

Outcome connection_lost() {
    Outcome outcome;
    outcome.complain().sqlstate = "08006";
    outcome.complain().message = "The database connection was lost.";
    return outcome;
}

}  // namespace svc::db
