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
std::string shape_of(const std::string& name, std::size_t arguments) {
    if (name == "can") return "can('update', <ref field>)";
    std::string out = name + '(';
    for (std::size_t i = 0; i < arguments; ++i) out += i == 0 ? "…" : ", …";
    return out + ')';
}

}  // namespace

const Typer::Function Typer::kFunctions[] = {
    {"now", 0, 0, &Typer::clock},
    {"today", 0, 0, &Typer::clock},
    {"date", 1, 1, &Typer::day},
    {"duration", 1, 1, &Typer::duration},
    {"exists", 1, 1, &Typer::over_rows},
    {"count", 1, 1, &Typer::over_rows},
    {"sum", 1, 1, &Typer::over_rows},
    {"all", 1, 1, &Typer::over_rows},
    {"min", 1, kAny, &Typer::extreme},
    {"max", 1, kAny, &Typer::extreme},
    {"changed", 1, 1, &Typer::changed},
    {"lower", 1, 1, &Typer::of_text},
    {"upper", 1, 1, &Typer::of_text},
    {"trim", 1, 1, &Typer::of_text},
    {"size", 1, 1, &Typer::size},
    {"startsWith", 2, 2, &Typer::about_texts},
    {"endsWith", 2, 2, &Typer::about_texts},
    {"contains", 2, 2, &Typer::about_texts},
    {"matches", 2, 2, &Typer::about_texts},
    {"coalesce", 2, kAny, &Typer::same_types},
    {"abs", 1, 1, &Typer::of_number},
    {"round", 1, 2, &Typer::of_number},
    {"member", 1, kAny, &Typer::member},
    {"can", 2, 2, &Typer::can},
};

ExprPtr Typer::made_call(const Syntax& node, ExprType type, std::vector<ExprPtr> args) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::call;
    expr->type = type;
    expr->text = node.text;
    expr->args = std::move(args);
    return expr;
}

const Typer::Function* Typer::find_function(const std::string& name) {
    const auto* const found = std::ranges::find(kFunctions, name, &Function::name);
    return found == std::end(kFunctions) ? nullptr : found;
}

ExprPtr Typer::call(const Syntax& node) {
    const Function* function = find_function(node.text);
    if (function == nullptr) return unknown_function(node);
    const std::size_t given = node.args.size();
    if (given < function->least || given > function->most) return bad_count(node, *function);
    return (this->*function->type)(node);
}

ExprPtr Typer::bad_count(const Syntax& node, const Function& function) {
    const std::string least = std::to_string(function.least);
    const std::string wanted = function.most == kAny ? least + " or more"
                               : function.least == function.most
                                   ? least
                                   : least + " or " + std::to_string(function.most);
    const bool asks_rows = node.text == "exists" || node.text == "all";
    return fail(node, "BAD_OPERAND",
                node.text + " takes " + wanted + (wanted == "1" ? " argument" : " arguments") +
                    ", not " + std::to_string(node.args.size()) + ".",
                asks_rows ? kNoConditionOnRows : "write " + shape_of(node.text, function.least));
}

ExprPtr Typer::unknown_function(const Syntax& node) {
    const std::string message = "there is no function \"" + node.text + "\".";
    const bool of_name = !node.args.empty() && node.args[0].kind == ExprKind::path;
    const std::string known =
        instead_of_function(node.text, of_name ? node.args[0].names.front() : std::string());
    if (!known.empty()) return fail(node, "UNKNOWN_FUNCTION", message, known);
    std::vector<std::string> names;
    for (const Function& function : kFunctions) names.emplace_back(function.name);
    const std::string near = diag::nearest(node.text, names);
    return fail(node, "UNKNOWN_FUNCTION", message,
                near.empty() ? "the functions are " + svc::model::joined(names)
                             : "did you mean " + near + "?");
}

ExprPtr Typer::clock(const Syntax& node) {
    if (scope_.computed) {
        return fail(node, "BAD_OPERAND", "a computed field cannot depend on the time.",
                    "use fields of the row only");
    }
    return made_call(node, node.text == "now" ? ExprType::timestamp : ExprType::date, {});
}

// The day of a moment, in the app's timezone.
ExprPtr Typer::day(const Syntax& node) {
    ExprPtr moment = value(node.args[0]);
    if (!moment) return nullptr;
    const bool written = is_literal(*moment) && moment->type == ExprType::text;
    if (written && base::is_date(moment->text)) moment = as(moment, ExprType::date, node.args[0]);
    if (moment->type == ExprType::date) return moment;
    if (written || moment->open) moment = as(moment, ExprType::timestamp, node.args[0]);
    if (!moment) return nullptr;
    if (moment->type == ExprType::timestamp) return made_call(node, ExprType::date, {moment});
    return fail(node, "TYPE_MISMATCH",
                "date needs a datetime, but this is " + in_words(moment->type) + ".",
                moment->type == ExprType::text ? "make the field a date or a datetime" : "");
}

ExprPtr Typer::duration(const Syntax& node) {
    ExprPtr text = value(node.args[0]);
    if (!text) return nullptr;
    if (!is_literal(*text) || !seconds_of(text->text)) {
        return fail(node, "BAD_OPERAND", "duration needs a string like '90s', '15m', '2h' or '7d'.",
                    "write duration('21d') for 21 days");
    }
    return made_call(node, ExprType::duration, {text});
}

ExprPtr Typer::of_text(const Syntax& node) {
    ExprPtr text = value(node.args[0]);
    if (text) text = as(text, ExprType::text, node.args[0]);
    return text ? made_call(node, ExprType::text, {text}) : nullptr;
}

ExprPtr Typer::size(const Syntax& node) {
    ExprPtr subject = any(node.args[0]);
    if (!subject) return nullptr;
    if (of_many(*subject)) {
        return fail(node, "BAD_OPERAND", "size needs a string or tags.", "use count for rows");
    }
    const bool list =
        subject->type == ExprType::tags || (scope_.flow && subject->type == ExprType::list);
    if (!list) subject = as(subject, ExprType::text, node.args[0]);
    return subject ? made_call(node, ExprType::integer, {subject}) : nullptr;
}

ExprPtr Typer::about_texts(const Syntax& node) {
    ExprPtr subject = value(node.args[0]);
    ExprPtr other = value(node.args[1]);
    if (!subject || !other) return nullptr;
    const bool tags = node.text == "contains" && subject->type == ExprType::tags;
    if (!tags) subject = as(subject, ExprType::text, node.args[0]);
    other = as(other, ExprType::text, node.args[1]);
    if (!subject || !other) return nullptr;
    if (node.text == "matches" && !is_literal(*other)) {
        return fail(node, "BAD_OPERAND", "matches needs a string literal as its pattern.",
                    "write the pattern in quotes: matches(…, '^[a-z]+$')");
    }
    if (node.text == "matches" && !is_balanced_pattern(other->text)) {
        return fail(node.args[1], "BAD_PATTERN",
                    "a bracket, a parenthesis or an escape in this pattern is not closed.",
                    "close it; if it stands for itself, write \\\\ before it");
    }
    return made_call(node, ExprType::boolean, {subject, other});
}

// coalesce, and min and max of values.
ExprPtr Typer::same_types(const Syntax& node) {
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
    return made_call(node, type, std::move(args));
}

ExprPtr Typer::of_number(const Syntax& node) {
    ExprPtr number = value(node.args[0]);
    if (!number) return nullptr;
    if (number->open) number = as(number, ExprType::decimal, node);
    if (!is_number(number->type)) {
        return fail(node, "TYPE_MISMATCH",
                    node.text + " needs a number, but this is " + in_words(number->type) + ".",
                    "name a number field, or write a number");
    }
    if (node.args.size() == 1) return made_call(node, number->type, {number});
    ExprPtr digits = value(node.args[1]);
    if (!digits) return nullptr;
    if (!is_literal(*digits) || digits->type != ExprType::integer) {
        return fail(node.args[1], "BAD_OPERAND", "the number of digits must be a number literal.");
    }
    if (digits->text.size() > 2) {
        return fail(node.args[1], "BAD_OPERAND", "round keeps at most 99 digits.");
    }
    return made_call(node, ExprType::decimal, {number, digits});
}

}  // namespace svc::model
