#include "db/pg_types.hpp"

namespace svc::db {

Outcome failure(const PGresult* result) {
    Outcome outcome;
    outcome.complain() = pq::complaint(result);
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
           pq::diagnosis(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery";
}

Outcome connection_lost() {
    Outcome outcome;
    outcome.complain().sqlstate = "08006";
    outcome.complain().message = "The database connection was lost.";
    return outcome;
}

}  // namespace svc::db
