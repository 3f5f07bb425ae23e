// Puts an API's refusal into words for people.
#include <algorithm>

#include "base/ascii.hpp"
#include "base/sql_state.hpp"
#include "page/form/form.hpp"
#include "page/form/pattern_words.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

bool is_of_name(char c) { return base::is_alphanumeric(c) || c == '_'; }

// "Another row already has the same order_id and product_id." with labels for names. A name at the
// beginning keeps its label's capital letter.
std::string with_labels(const Visit& visit, const Entity& entity, std::string_view message) {
    const List<Field>& fields = table_of(visit, entity).fields;
    std::string out;
    while (!message.empty()) {
        const auto length = static_cast<std::size_t>(std::ranges::find_if_not(message, is_of_name) -
                                                     message.begin());
        const std::string_view word = message.substr(0, std::max<std::size_t>(length, 1));
        message.remove_prefix(word.size());
        const auto at = std::ranges::find(entity.columns, word, &Column::name);
        if (at == entity.columns.end()) {
            out += word;
            continue;
        }
        const auto index = static_cast<std::size_t>(at - entity.columns.begin());
        const std::string label(fields[index].label);
        out += out.empty() ? label : lower_first(label);
    }
    return out;
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

std::string field_message(const Visit& visit, const Entity& entity, std::size_t index,
                          const Answer& answer) {
    const Column& column = entity.columns[index];
    const Field& field = table_of(visit, entity).fields[index];
    const std::string code = answer.error("code");
    std::string message = answer.error("message");
    const std::string label(field.label);
    if (code == name(Code::rule_refused)) return message;  // the author's own words
    if (code == base::sqlstate::kNull) return "Fill in " + lower_first(field.label) + ".";
    if (code == base::sqlstate::kTaken) return label + " is taken already. Choose another.";
    if (code == base::sqlstate::kOutOfRange) return label + " is out of range.";
    if (code == base::sqlstate::kBadText || code == base::sqlstate::kBadMoment ||
        code == base::sqlstate::kMomentOutOfRange)
        return "This is not a valid " + lower_first(field.label) + ".";
    const bool bounded = is_number(field.kind) && !(field.min.empty() && field.max.empty());
    if (code == base::sqlstate::kCheck && bounded) return bound_message(visit, field);
    if (code == name(Code::conflict) || code == base::sqlstate::kReference) {
        if (field.kind == FieldKind::ref)
            return "This " + lower_first(field.label) + " no longer exists. Choose another one.";
        return label + " is taken already. Choose another.";
    }
    if (code == name(Code::field_forbidden)) return "You may not change this.";
    if (code == base::sqlstate::kTextTooLong)
        return label + " may have at most " + std::to_string(column.max_length) + " characters.";
    constexpr std::string_view kPattern = " does not match the pattern ";
    if (const std::size_t at = message.find(kPattern); at != std::string::npos) {
        std::string_view pattern = std::string_view(message).substr(at + kPattern.size());
        pattern.remove_suffix(pattern.ends_with('.') ? 1 : 0);
        const std::string words = pattern_words(pattern);
        return words.empty() ? "This is not a valid " + lower_first(field.label) + "." : words;
    }
    return with_labels(visit, entity, message);
}

// Two rows may not have the same values, or a row that goes is still referred to.
std::string conflict_message(const Visit& visit, const Entity& entity, RowAction action,
                             const std::string& message) {
    const std::string row = lower_first(table_of(visit, entity).singular);
    if (action == RowAction::remove)
        return "This " + row + " is still used elsewhere, so it cannot be deleted.";
    constexpr std::string_view kGroup = "Another row already has";
    if (message.starts_with(kGroup))
        return "Another " + row + " already has" +
               with_labels(visit, entity, message.substr(kGroup.size()));
    return "This did not work, because somebody else changed the same at this moment. Try again.";
}

// The message for a refusal that no field of the form caused.
std::string whole_message(const Visit& visit, const Entity& entity, RowAction action,
                          const Answer& answer) {
    const std::string code = answer.error("code");
    const bool of_the_app =
        code == name(Code::rule_refused) || code == name(Code::transition_refused);
    if (!of_the_app && answer.status == 412)
        return "Somebody has changed this in the meantime. Open it again to see what, and repeat "
               "your change.";
    if (!of_the_app && answer.status == 403) return forbidden_words(visit, entity, action);
    if (!of_the_app && answer.status == 404) return "This row no longer exists.";
    if (!of_the_app && answer.status == 401) return "Your session has ended. Sign in again.";
    if (!of_the_app && (answer.status == 409 || code == base::sqlstate::kTaken))
        return conflict_message(visit, entity, action, answer.error("message"));
    if (!of_the_app && (answer.status >= 500 || answer.status == 429))
        return "This did not work right now. Try again in a moment.";
    return of_the_app ? answer.error("message")
                      : with_labels(visit, entity, answer.error("message"));
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

void report_refusal(const Visit& visit, const Entity& entity, RowAction action,
                    const Answer& answer, Problems& problems) {
    const std::string name = answer.error("field");
    const auto at = std::ranges::find(entity.columns, name, &Column::name);
    if (at != entity.columns.end()) {
        const auto index = static_cast<std::size_t>(at - entity.columns.begin());
        std::string message = field_message(visit, entity, index, answer);
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
