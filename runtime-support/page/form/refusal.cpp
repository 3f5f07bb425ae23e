// Puts an API's refusal into words for people.
#include <algorithm>

#include "page/form/form.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

// "note may have at most 500 characters." with the label for the name.
std::string with_label(std::string message, std::string_view name, std::string_view label) {
    for (const std::string& quoted : {"\"" + std::string(name) + "\"", std::string(name)}) {
        if (!message.starts_with(quoted + " ")) continue;
        message.replace(0, quoted.size(), label);
        return message;
    }
    return message;
}

std::string bound_message(const Visit& visit, const Field& field) {
    const auto shown = [&](std::string_view bound) {
        return field.kind == FieldKind::money
                   ? money(bound, visit.site().currency, visit.site().digits)
                   : std::string(bound);
    };
    if (!field.min.empty() && !field.max.empty())
        return std::string(field.label) + " must be from " + shown(field.min) + " to " +
               shown(field.max) + ".";
    if (!field.min.empty())
        return std::string(field.label) + " must be at least " + shown(field.min) + ".";
    return std::string(field.label) + " must be at most " + shown(field.max) + ".";
}

std::string field_message(const Visit& visit, const Column& column, const Field& field,
                          const Answer& answer) {
    const std::string code = answer.error("code");
    std::string message = answer.error("message");
    const std::string label(field.label);
    if (code == "RULE_REFUSED") return message;  // the author's own words
    if (code == "23502") return "Fill in " + lower_first(field.label) + ".";
    if (code == "23505") return label + " is taken already. Choose another.";
    if (code == "22003") return label + " is out of range.";
    if (code == "22P02" || code == "22007" || code == "22008")
        return "This is not a valid " + lower_first(field.label) + ".";
    const bool bounded = is_number(field.kind) && !(field.min.empty() && field.max.empty());
    if (code == "23514" && bounded) return bound_message(visit, field);
    if (code == "CONFLICT" || code == "23503") {
        if (field.kind == FieldKind::ref)
            return "This " + lower_first(field.label) + " no longer exists. Choose another one.";
        return label + " is taken already. Choose another.";
    }
    if (code == "FIELD_FORBIDDEN") return "You may not change this.";
    return with_label(message, column.name, field.label);
}

// The message for a refusal that no field of the form caused.
std::string whole_message(const Visit& visit, const Entity& entity, RowAction action,
                          const Answer& answer) {
    const std::string code = answer.error("code");
    const bool said = code == "RULE_REFUSED" || code == "TRANSITION_REFUSED";
    if (!said && answer.status == 412)
        return "Somebody has changed this in the meantime. Open it again to see what, and repeat "
               "your change.";
    if (!said && answer.status == 403) return forbidden_words(visit, entity, action);
    if (!said && answer.status == 404) return "This row no longer exists.";
    if (!said && answer.status == 401) return "Your session has ended. Sign in again.";
    if (!said && (answer.status == 409 || code == "23505"))
        return "A row like this exists already, or other rows refer to it.";
    if (!said && (answer.status >= 500 || answer.status == 429))
        return "This did not work right now. Try again in a moment.";
    return answer.error("message");
}

}  // namespace

std::string forbidden_words(const Visit& visit, const Entity& entity, RowAction action) {
    const std::string row = this_row(visit, entity);
    switch (action) {
        case RowAction::create:
            return "You may not create " + row + " with these values.";
        case RowAction::fill:
            return "You may not save " + row + " with these values.";
        case RowAction::change:
            return "You may not change " + row + ".";
        case RowAction::remove:
            return "You may not delete " + row + ".";
        case RowAction::move:
            break;
    }
    return "You may not do this with " + row + ".";
}

std::string this_row(const Visit& visit, const Entity& entity) {
    return "this " + lower_first(table_of(visit, entity).singular);
}

void tell_refusal(const Visit& visit, const Entity& entity, RowAction action, const Answer& answer,
                  Problems& problems) {
    const std::string name = answer.error("field");
    const auto at = std::ranges::find(entity.columns, name, &Column::name);
    if (at != entity.columns.end()) {
        const auto index = static_cast<std::size_t>(at - entity.columns.begin());
        const Field& field = table_of(visit, entity).fields[index];
        std::string message = field_message(visit, *at, field, answer);
        // A field that the form does not ask for has no place of its own.
        if (visit.form.has("f." + name) || visit.form.has("has." + name))
            problems.fields.emplace_back(name, std::move(message));
        else
            problems.whole = std::move(message);
        return;
    }
    problems.whole = whole_message(visit, entity, action, answer);
}

}  // namespace svc::page
