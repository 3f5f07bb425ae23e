#include "data/db_error.hpp"

#include <algorithm>
#include <iterator>

#include "base/sql_state.hpp"
#include "identity/sql_state.hpp"
#include "log/log.hpp"

namespace svc::data {

namespace {

const Constraint* violated(const db::Outcome& outcome, const Entity& entity) {
    const auto found = std::find_if(
        entity.constraints.begin(), entity.constraints.end(),
        [&](const Constraint& known) { return known.name == outcome.error().constraint; });
    const bool known = !outcome.error().constraint.empty() && found != entity.constraints.end();
    return known ? &*found : nullptr;
}

std::string sentence(const Constraint& constraint) {
    const std::string reason(constraint.reason);
    return constraint.field.empty() ? reason : std::string(constraint.field) + ' ' + reason;
}

// The column at fault: as PostgreSQL names it, or as the constraint's entry does.
std::string field_of(const db::Outcome& outcome, const Constraint* constraint) {
    if (constraint != nullptr && !constraint->field.empty()) return std::string(constraint->field);
    return outcome.error().column;
}

// 400 with the database's own code.
Error wrong_value(const db::Outcome& outcome, const Constraint* constraint) {
    Error error{Code::params_invalid, outcome.error().message, field_of(outcome, constraint)};
    error.sqlstate = outcome.error().sqlstate;
    if (constraint != nullptr && !constraint->reason.empty()) {
        error.message = sentence(*constraint);
    } else if (outcome.error().sqlstate == base::sqlstate::kNull && !error.field.empty()) {
        error.message = error.field + " is required.";
    }
    return error;
}

// What follows `before` in the text, up to the next quote; empty if it does not occur.
std::string quoted_after(const std::string& text, std::string_view before) {
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return {};
    const std::size_t from = at + before.size();
    return text.substr(from, text.find('"', from) - from);
}

// The column of a reference, by the name that PostgreSQL and the generator give its constraint:
// loan_line_book_id_fkey. Calls of functions do not know the entity that their step wrote.
std::string referring_column(const db::Outcome& outcome) {
    std::string_view name = outcome.error().constraint;
    const std::string table = outcome.error().table + "_";
    constexpr std::string_view kSuffix = "_fkey";
    if (!name.starts_with(table) || !name.ends_with(kSuffix)) return {};
    if (name.size() <= table.size() + kSuffix.size()) return {};
    name.remove_prefix(table.size());
    name.remove_suffix(kSuffix.size());
    return std::string(name);
}

// An insert or update that names no row. The detail has other words if a row that is referred to
// was to be deleted.
std::optional<Error> dangling(const db::Outcome& outcome) {
    const std::string to = quoted_after(outcome.error().detail, "is not present in table \"");
    std::string column = referring_column(outcome);
    if (to.empty() || column.empty()) return std::nullopt;
    std::string message = column + ": there is no " + to + " with this id.";
    return Error{Code::conflict, std::move(message), std::move(column)};
}

Error reference_conflict(const db::Outcome& outcome, const Entity& entity,
                         const Constraint* constraint) {
    if (outcome.error().external) return {Code::conflict, outcome.error().message};
    if (auto error = dangling(outcome)) return *error;
    // Our own triggers name the column, and say it in words; PostgreSQL names only the constraint.
    if (!outcome.error().column.empty())
        return {Code::conflict, outcome.error().message, outcome.error().column};
    // Another table's constraint: its rows refer to the row that was to be deleted.
    if (outcome.error().table != entity.name) {
        return {Code::conflict, "Rows of " + outcome.error().table + " refer to this one."};
    }
    std::string message = "The row refers to another row that does not exist.";
    if (constraint != nullptr && !constraint->field.empty())
        message = std::string(constraint->field) +
                  " names a row that does not exist, or other rows refer to this row.";
    return {Code::conflict, std::move(message), field_of(outcome, constraint)};
}

// If one column is unique, the message is PostgreSQL's own, which clients are promised, and `field`
// names the column. If several columns are unique together, there is no field, so the message names
// them.
Error taken(const db::Outcome& outcome, const Constraint* constraint) {
    const bool group = constraint != nullptr && constraint->field.empty();
    return {Code::conflict, group ? sentence(*constraint) : outcome.error().message,
            field_of(outcome, constraint)};
}

// The log line has no detail, because that quotes the row.
Error unexpected(const db::Outcome& outcome, const Entity& entity) {
    log::write(log::Level::error, "database_error",
               {{"sqlstate", outcome.error().sqlstate},
                {"message", outcome.error().loggable()},
                {"entity", entity.name}});
    return {Code::database_error, "The database failed to do this. The server's log says why."};
}

}  // namespace

std::optional<Code> code_of(std::string_view sqlstate) {
    const auto* meaning = identity::meaning_of(sqlstate);
    return meaning ? std::optional(meaning->code) : std::nullopt;
}

bool session_ended(const db::Outcome& outcome) {
    return outcome.error().sqlstate == base::sqlstate::kSessionEnded && !outcome.error().external;
}

bool row_refused(const db::Outcome& outcome) {
    return outcome.error().sqlstate == base::sqlstate::kForbidden;
}

std::optional<Error> external_error(const db::Outcome& outcome) {
    if (!outcome.error().external) return std::nullopt;
    const std::string_view state = outcome.error().sqlstate;
    if (outcome.lost())
        return Error{
            Code::unavailable,
            "The other database that holds these rows cannot be reached right now. Try again."};
    // Codes that its triggers raise, even SV… ones, do not mean what those of the app's mean.
    if (state == base::sqlstate::kRaised || base::sqlstate::is_ours(state))
        return Error{Code::rule_refused, outcome.error().message};
    if (state == base::sqlstate::kNoTable || state == base::sqlstate::kNoColumn ||
        state == base::sqlstate::kOtherType || state == base::sqlstate::kNoFunction)
        return Error{Code::unavailable,
                     "The table in the other database does not match the contract: " +
                         outcome.error().message};
    return std::nullopt;
}

Error to_error(const db::Outcome& outcome, const Entity& entity) {
    const std::string_view state = outcome.error().sqlstate;
    if (auto error = external_error(outcome)) return *error;
    const Constraint* constraint = violated(outcome, entity);
    if (outcome.lost()) return {Code::unavailable, outcome.error().message};
    if (state == base::sqlstate::kTaken) return taken(outcome, constraint);
    if (state == base::sqlstate::kReference) return reference_conflict(outcome, entity, constraint);
    if (const auto* meaning = identity::meaning_of(state)) {
        const std::string message(meaning->message);
        return {meaning->code, message.empty() ? outcome.error().message : message,
                field_of(outcome, constraint)};
    }
    if (base::sqlstate::is_of_value(state)) return wrong_value(outcome, constraint);
    return unexpected(outcome, entity);
}

}  // namespace svc::data
