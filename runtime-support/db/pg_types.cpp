#include "db/pg_types.hpp"

#include "base/sql_state.hpp"

namespace svc::db {

Outcome failure(const PGresult* result) {
    Outcome outcome;
    outcome.make_error() = pq::error_of(result);
    if (outcome.error().sqlstate.empty()) {  // an error of libpq itself
        outcome.make_error().sqlstate = base::sqlstate::kInternal;
        outcome.make_error().message = PQresultErrorMessage(result);
    }
    return outcome;
}

// 0A000 is also "feature not supported", so the place that raises it decides, whatever the language
// of the message.
bool stale_plan(const PGresult* result, const Outcome& outcome) {
    if (outcome.error().sqlstate == base::sqlstate::kNoStatement) return true;
    return outcome.error().sqlstate == base::sqlstate::kNotSupported &&
           pq::error_field(result, PG_DIAG_SOURCE_FUNCTION) == "RevalidateCachedQuery";
}

Outcome connection_lost() {
    Outcome outcome;
    outcome.make_error().sqlstate = base::sqlstate::kConnectionLost;
    outcome.make_error().message = "The database connection was lost.";
    return outcome;
}

}  // namespace svc::db
