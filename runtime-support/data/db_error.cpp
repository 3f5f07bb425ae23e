#include "data/db_error.hpp"

#include <algorithm>
#include <optional>

#include "log/log.hpp"

namespace svc::data {

namespace {

const Constraint* violated(const db::Outcome& outcome, const Entity& entity) {
    const auto found = std::find_if(
        entity.constraints.begin(), entity.constraints.end(),
        [&](const Constraint& known) { return known.name == outcome.why().constraint; });
    const bool known = !outcome.why().constraint.empty() && found != entity.constraints.end();
    return known ? &*found : nullptr;
}

// The column at fault: as PostgreSQL names it, or as the constraint's entry does.
std::string field_of(const db::Outcome& outcome, const Constraint* constraint) {
    if (constraint != nullptr && !constraint->field.empty()) return std::string(constraint->field);
    return outcome.why().column;
}

// Of classes of SQLSTATE those that values bring about, and single codes of others.
bool is_of_values(std::string_view state) {
    static constexpr std::string_view kTheirs[] = {
        "21",     // more than one row where one was meant
        "22",     // values
        "23502",  // null
        "23514",  // check
        "42703",  // no such column
        "54"      // limits of PostgreSQL
    };
    return std::ranges::any_of(kTheirs, [&](auto theirs) { return state.starts_with(theirs); });
}

// 400 with the database's own code.
Error wrong_value(const db::Outcome& outcome, const Constraint* constraint) {
    Error error{Code::params_invalid, outcome.why().message, field_of(outcome, constraint)};
    error.sqlstate = outcome.why().sqlstate;
    if (constraint != nullptr && !constraint->message.empty()) {
        error.message = constraint->message;
    } else if (outcome.why().sqlstate == "23502" && !error.field.empty()) {
        error.message = error.field + " is required.";
    }
    return error;
}

Error reference_conflict(const db::Outcome& outcome, const Entity& entity,
                         const Constraint* constraint) {
    if (outcome.why().elsewhere) return {Code::conflict, outcome.why().message};
    // Another table's constraint: its rows refer to ours, which was to be deleted.
    if (outcome.why().table != entity.name) {
        return {Code::conflict, "Rows of " + outcome.why().table + " refer to this one."};
    }
    std::string message = "The row that it refers to does not exist.";
    if (constraint != nullptr && !constraint->message.empty()) message = constraint->message;
    return {Code::conflict, std::move(message), field_of(outcome, constraint)};
}

// Without the detail, which quotes the row.
Error unexpected(const db::Outcome& outcome, const Entity& entity) {
    log::write(log::Level::error, "database_error",
               {{"sqlstate", outcome.why().sqlstate},
                {"message", outcome.why().message},
                {"entity", entity.name}});
    return {Code::database_error, "The database could not do this."};
}

}  // namespace

bool session_ended(const db::Outcome& outcome) {
    return outcome.why().sqlstate == "SV401" && !outcome.why().elsewhere;
}

bool row_refused(const db::Outcome& outcome) { return outcome.why().sqlstate == "42501"; }

std::optional<Error> told_elsewhere(const db::Outcome& outcome) {
    if (!outcome.why().elsewhere) return std::nullopt;
    const std::string_view state = outcome.why().sqlstate;
    if (outcome.lost())
        return Error{Code::unavailable, "The database of these rows cannot be reached just now."};
    // Codes of a trigger's own, ours among them, mean what ours mean to nobody.
    if (state == "P0001" || state.starts_with("SV"))
        return Error{Code::rule_refused, outcome.why().message};
    if (state == "42P01" || state == "42703" || state == "42804" || state == "42883")
        return Error{
            Code::unavailable,
            "The other database's table is not what the contract says: " + outcome.why().message};
    return std::nullopt;
}

Error to_error(const db::Outcome& outcome, const Entity& entity) {
    const std::string_view state = outcome.why().sqlstate;
    if (auto error = told_elsewhere(outcome)) return *error;
    const Constraint* constraint = violated(outcome, entity);
    if (state == "SV422") return {Code::rule_refused, outcome.why().message, outcome.why().column};
    if (state == "SV403") return {Code::row_forbidden, outcome.why().message};
    if (state == "SV409") return {Code::transition_refused, outcome.why().message};
    if (state == "SV410") return {Code::idempotency_mismatch, outcome.why().message};
    if (state == "SV425") {
        return {Code::conflict, "A request with this Idempotency-Key is being answered just now."};
    }
    if (state == "42P10") {
        return {Code::unavailable, "The unique key is still being built. Try again."};
    }
    if (state == "SV412") return {Code::stale, "The row has changed. Read it again."};
    if (state == "SV432")
        return {Code::field_forbidden, outcome.why().message, outcome.why().column};
    if (state == "42501") {
        return {Code::row_forbidden, "You may not do this with this row."};
    }
    // An author's message is not used: clients are promised PostgreSQL's own.
    if (state == "23505")
        return {Code::conflict, outcome.why().message, field_of(outcome, constraint)};
    if (state == "23503") return reference_conflict(outcome, entity, constraint);
    if (state == "40001" || state == "40P01") {
        return {Code::conflict, "Another request changed the same rows. Try again."};
    }
    if (outcome.lost()) return {Code::unavailable, outcome.why().message};
    if (state == "55P03") {
        return {Code::unavailable, "Somebody else is changing this row just now. Try again."};
    }
    if (state == "53400") {  // temp_file_limit
        return {Code::unavailable, "The database would need too much space for this."};
    }
    if (state == "57014") return {Code::unavailable, "The database took too long. Try again."};
    if (is_of_values(state)) {
        return wrong_value(outcome, constraint);
    }
    return unexpected(outcome, entity);
}

}  // namespace svc::data
