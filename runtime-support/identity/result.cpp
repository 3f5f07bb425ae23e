#include "identity/result.hpp"

#include "base/sql_state.hpp"
#include "identity/sql_state.hpp"
#include "log/log.hpp"

namespace svc::identity {

Refusal refusal(Code code, std::string message, std::string field) {
    Refusal refusal;
    refusal.error.code = code;
    refusal.error.message = std::move(message);
    refusal.error.field = std::move(field);
    return refusal;
}

Refusal refusal(const db::Outcome& outcome) {
    if (outcome.lost()) return unreachable();
    const std::string_view state = outcome.error().sqlstate;
    const SqlStateMeaning* meaning = meaning_of(state);
    if (state == base::sqlstate::kSessionEnded)
        return refusal(meaning->code, std::string(meaning->message));
    if (meaning && meaning->passing) {
        log::write(log::Level::warning, "database_busy", {{"sqlstate", outcome.error().sqlstate}});
        return refusal(meaning->code, std::string(meaning->message));
    }
    log::write(log::Level::error, "database_error",
               {{"sqlstate", outcome.error().sqlstate}, {"message", outcome.error().loggable()}});
    return refusal(Code::database_error,
                   "The database failed to do this. The server's log says why.");
}

Refusal unreachable() {
    return refusal(Code::unavailable, "The database cannot be reached right now. Try again.");
}

Refusal session_is_over() {
    return refusal(Code::unauthorized, "The app session has ended. Sign in again.");
}

void refuse(http::Reply& reply, const Refusal& refusal) {
    http::fail(reply, refusal.error, refusal.retry_after);
}

}  // namespace svc::identity
