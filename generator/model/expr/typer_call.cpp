#include <algorithm>
#include <string_view>
#include <utility>

#include "base/formats.hpp"
#include "model/expr/other_languages.hpp"
#include "model/expr/typer.hpp"
#include "model/names.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kAny = 64;  // arguments

constexpr const char* kNoConditionOnRows =
    "it looks at all related rows, without a condition: exists(bookings). "
    "To refuse duplicates, use \"unique\"";

// A call as it should look: "can('update', …)" for can.
std::string shape_of(ExprFunction function, std::size_t arguments) {
    if (function == ExprFunction::can) return "can('update', <ref field>)";
    std::string out = std::string(base::word(function)) + '(';
    for (std::size_t i = 0; i < arguments; ++i) out += i == 0 ? "…" : ", …";
    return out + ')';
}

}  // namespace

const Typer::Signature Typer::kSignatures[] = {
    {ExprFunction::now, 0, 0, &Typer::clock},
    {ExprFunction::today, 0, 0, &Typer::clock},
    {ExprFunction::date, 1, 1, &Typer::day},
    {ExprFunction::duration, 1, 1, &Typer::duration},
    {ExprFunction::exists, 1, 1, &Typer::over_rows},
    {ExprFunction::count, 1, 1, &Typer::over_rows},
    {ExprFunction::sum, 1, 1, &Typer::over_rows},
    {ExprFunction::all, 1, 1, &Typer::over_rows},
    {ExprFunction::min, 1, kAny, &Typer::extreme},
    {ExprFunction::max, 1, kAny, &Typer::extreme},
    {ExprFunction::changed, 1, 1, &Typer::changed},
    {ExprFunction::lower, 1, 1, &Typer::of_text},
    {ExprFunction::upper, 1, 1, &Typer::of_text},
    {ExprFunction::trim, 1, 1, &Typer::of_text},
    {ExprFunction::size, 1, 1, &Typer::size},
    {ExprFunction::starts_with, 2, 2, &Typer::about_texts},
    {ExprFunction::ends_with, 2, 2, &Typer::about_texts},
    {ExprFunction::contains, 2, 2, &Typer::about_texts},
    {ExprFunction::matches, 2, 2, &Typer::about_texts},
    {ExprFunction::coalesce, 2, kAny, &Typer::same_types},
    {ExprFunction::abs, 1, 1, &Typer::of_number},
    {ExprFunction::round, 1, 2, &Typer::of_number},
    {ExprFunction::member, 1, kAny, &Typer::member},
    {ExprFunction::can, 2, 2, &Typer::can},
};

const Typer::Signature* Typer::find_signature(std::string_view name) {
    const std::optional<ExprFunction> function = base::read_word<ExprFunction>(name);
    if (!function) return nullptr;
    const auto* const found = std::ranges::find(kSignatures, *function, &Signature::function);
    return found == std::end(kSignatures) ? nullptr : found;
}

ExprPtr Typer::call(const Syntax& node) {
    const Signature* found = find_signature(node.text);
    if (found == nullptr) return unknown_function(node);
    const std::size_t given = node.args.size();
    if (given < found->least || given > found->most) return bad_count(node, *found);
    return (this->*found->type)(found->function, node);
}

ExprPtr Typer::bad_count(const Syntax& node, const Signature& signature) {
    const std::string least = std::to_string(signature.least);
    const std::string wanted = signature.most == kAny ? least + " or more"
                               : signature.least == signature.most
                                   ? least
                                   : least + " or " + std::to_string(signature.most);
    const ExprFunction function = signature.function;
    const bool asks_rows = function == ExprFunction::exists || function == ExprFunction::all;
    return fail(node, "BAD_OPERAND",
                node.text + " takes " + wanted + (wanted == "1" ? " argument" : " arguments") +
                    ", not " + std::to_string(node.args.size()) + ".",
                asks_rows ? kNoConditionOnRows : "write " + shape_of(function, signature.least));
}

ExprPtr Typer::unknown_function(const Syntax& node) {
    const std::string message = "there is no function \"" + node.text + "\".";
    const bool of_name = !node.args.empty() && node.args[0].kind == ExprKind::path;
    const std::string known =
        instead_of_function(node.text, of_name ? node.args[0].names.front() : std::string());
    if (!known.empty()) return fail(node, "UNKNOWN_FUNCTION", message, known);
    std::vector<std::string> names;
    for (const Signature& each : kSignatures) names.emplace_back(base::word(each.function));
    const std::string near = diag::nearest(node.text, names);
    return fail(node, "UNKNOWN_FUNCTION", message,
                near.empty() ? "the functions are " + svc::model::joined(names)
                             : "did you mean " + near + "?");
}

ExprPtr Typer::clock(ExprFunction function, const Syntax& node) {
    if (scope_.computed) {
        return fail(node, "BAD_OPERAND", "a computed field cannot depend on the time.",
                    "use fields of the row only");
    }
    const bool moment = function == ExprFunction::now;
    return made_call(function, moment ? ExprType::timestamp : ExprType::date, {});
}

// The day of a moment, in the app's timezone.
ExprPtr Typer::day(ExprFunction function, const Syntax& node) {
    ExprPtr moment = value(node.args[0]);
    if (!moment) return nullptr;
    const bool written = is_literal(*moment) && moment->type == ExprType::text;
    if (written && base::is_date(moment->text)) moment = as(moment, ExprType::date, node.args[0]);
    if (moment->type == ExprType::date) return moment;
    if (written || moment->open) moment = as(moment, ExprType::timestamp, node.args[0]);
    if (!moment) return nullptr;
    if (moment->type == ExprType::timestamp) return made_call(function, ExprType::date, {moment});
    return fail(node, "TYPE_MISMATCH",
                "date needs a datetime, but this is " + in_words(moment->type) + ".",
                moment->type == ExprType::text ? "make the field a date or a datetime" : "");
}

ExprPtr Typer::duration(ExprFunction function, const Syntax& node) {
    ExprPtr text = value(node.args[0]);
    if (!text) return nullptr;
    if (!is_literal(*text) || !seconds_of(text->text)) {
        return fail(node, "BAD_OPERAND", "duration needs a string like '90s', '15m', '2h' or '7d'.",
                    "write duration('21d') for 21 days");
    }
    return made_call(function, ExprType::duration, {text});
}

ExprPtr Typer::of_text(ExprFunction function, const Syntax& node) {
    ExprPtr text = value(node.args[0]);
    if (text) text = as(text, ExprType::text, node.args[0]);
    return text ? made_call(function, ExprType::text, {text}) : nullptr;
}

ExprPtr Typer::size(ExprFunction function, const Syntax& node) {
    ExprPtr subject = any(node.args[0]);
    if (!subject) return nullptr;
    if (of_many(*subject)) {
        return fail(node, "BAD_OPERAND", "size needs a string or tags.", "use count for rows");
    }
    const bool list =
        subject->type == ExprType::tags || (scope_.flow && subject->type == ExprType::list);
    if (!list) subject = as(subject, ExprType::text, node.args[0]);
    return subject ? made_call(function, ExprType::integer, {subject}) : nullptr;
}

ExprPtr Typer::about_texts(ExprFunction function, const Syntax& node) {
    ExprPtr subject = value(node.args[0]);
    ExprPtr other = value(node.args[1]);
    if (!subject || !other) return nullptr;
    const bool tags = function == ExprFunction::contains && subject->type == ExprType::tags;
    if (!tags) subject = as(subject, ExprType::text, node.args[0]);
    other = as(other, ExprType::text, node.args[1]);
    if (!subject || !other) return nullptr;
    if (function == ExprFunction::matches && !is_literal(*other)) {
        return fail(node, "BAD_OPERAND", "matches needs a string literal as its pattern.",
                    "write the pattern in quotes: matches(…, '^[a-z]+$')");
    }
    if (function == ExprFunction::matches && !is_balanced_pattern(other->text)) {
        return fail(node.args[1], "BAD_PATTERN",
                    "a bracket, a parenthesis or an escape in this pattern is not closed.",
                    "close it; if it stands for itself, write \\\\ before it");
    }
    return made_call(function, ExprType::boolean, {subject, other});
}

// coalesce, and min and max of values.
ExprPtr Typer::same_types(ExprFunction function, const Syntax& node) {
    std::vector<ExprPtr> args;
    for (const Syntax& arg : node.args) {
        args.push_back(value(arg));
        if (!args.back()) return nullptr;
        if (args.back()->type == ExprType::null) {
            return fail(arg, "BAD_OPERAND", node.text + " cannot take null.", "remove null");
        }
    }
    const auto known =
        std::find_if(args.begin(), args.end(), [](const ExprPtr& arg) { return !arg->open; });
    ExprType type = known == args.end() ? args[0]->type : (*known)->type;
    for (const ExprPtr& arg : args) {
        if (is_number(type) && arg->type == ExprType::decimal) type = ExprType::decimal;
        if (type == ExprType::date && arg->type == ExprType::timestamp) type = arg->type;
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
        args[i] = as(args[i], type, node.args[i]);
        if (!args[i]) return nullptr;
    }
    return made_call(function, type, std::move(args));
}

ExprPtr Typer::of_number(ExprFunction function, const Syntax& node) {
    ExprPtr number = value(node.args[0]);
    if (!number) return nullptr;
    if (number->open) number = as(number, ExprType::decimal, node);
    if (!is_number(number->type)) {
        return fail(node, "TYPE_MISMATCH",
                    node.text + " needs a number, but this is " + in_words(number->type) + ".",
                    "name a number field, or write a number");
    }
    if (node.args.size() == 1) return made_call(function, number->type, {number});
    ExprPtr digits = value(node.args[1]);
    if (!digits) return nullptr;
    if (!is_literal(*digits) || digits->type != ExprType::integer) {
        return fail(node.args[1], "BAD_OPERAND", "the number of digits must be a number literal.");
    }
    if (digits->text.size() > 2) {
        return fail(node.args[1], "BAD_OPERAND", "round keeps at most 99 digits.");
    }
    return made_call(function, ExprType::decimal, {number, digits});
}

}  // namespace svc::model
