#include "model/expr/typer.hpp"

#include <algorithm>
#include <utility>

#include "model/values.hpp"

namespace svc::model {
namespace {

bool can_be_written_as(const std::string& text, ExprType type) {
    switch (type) {
        case ExprType::date:
            return is_date(text);
        case ExprType::time:
            return is_time(text);
        case ExprType::timestamp:
            return is_datetime(text) || is_date(text);
        case ExprType::uuid:
            return is_uuid(text);
        default:
            return false;
    }
}

// How one is made of the other, or is written.
std::string mend(ExprType from, ExprType to) {
    const bool text = from == ExprType::text;
    if (to == ExprType::boolean && text) return "write true or false, without quotes";
    if (to == ExprType::date) {
        if (from == ExprType::timestamp) {
            return "date(…) is the day of a moment; a date plus duration('21d') is a date";
        }
        if (text) return "a date is written as '2026-01-31'";
    }
    if (to == ExprType::timestamp && text) {
        return "a moment is written as '2026-01-31T10:00:00Z'";
    }
    if (to == ExprType::time && text) return "a time is written as '09:30'";
    if (to == ExprType::duration) return "a length of time is written as duration('2h')";
    if (from == ExprType::duration && is_number(to)) {
        return "the days between two dates are one minus the other";
    }
    return {};
}

}  // namespace

ExprPtr made(ExprKind kind, ExprType type, std::vector<ExprPtr> args) {
    auto expr = std::make_shared<Expr>();
    expr->kind = kind;
    expr->type = type;
    expr->args = std::move(args);
    return expr;
}

bool is_number(ExprType type) { return type == ExprType::integer || type == ExprType::decimal; }

bool is_literal(const Expr& expr) { return expr.kind == ExprKind::literal; }

bool is_null_literal(const Expr& expr) { return is_literal(expr) && expr.type == ExprType::null; }

bool is_part(const Expr& expr) { return expr.kind == ExprKind::path && expr.root == Root::part; }

bool of_many(const Expr& expr) {
    return expr.kind == ExprKind::path &&
           std::any_of(expr.steps.begin(), expr.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::many; });
}

std::optional<std::int64_t> whole_days(const Expr& expr) {
    constexpr std::int64_t kDay = 86'400;
    if (expr.type != ExprType::duration) return std::nullopt;
    if (expr.kind == ExprKind::negate) {
        const auto days = whole_days(*expr.args[0]);
        return days ? std::optional(-*days) : std::nullopt;
    }
    if (expr.kind != ExprKind::call || expr.text != "duration") return std::nullopt;
    const auto seconds = seconds_of(expr.args[0]->text);
    if (!seconds || *seconds % kDay != 0) return std::nullopt;
    return *seconds / kDay;
}

std::string in_what(const ExprScope& scope, std::size_t offset) {
    if (offset == 0) return " of the expression: ";
    return scope.flow != nullptr ? " of the text: " : " of the message: ";
}

ExprPtr Typer::fail(const Syntax& node, std::string code, const std::string& message,
                    std::string fix) {
    findings_.error(std::move(code), written_.place(node.column),
                    "Column " + std::to_string(written_.column(node.column)) +
                        in_what(scope_, written_.offset) + message,
                    std::move(fix));
    return nullptr;
}

ExprPtr Typer::value(const Syntax& node) {
    ExprPtr expr = any(node);
    if (!expr) return nullptr;
    if (expr->kind == ExprKind::list) {
        return fail(node, "BAD_OPERAND", "a list can stand only at the right of in.");
    }
    if (of_many(*expr)) {
        return fail(node, "BAD_OPERAND", "this names many rows, not one value.",
                    "use exists, count, sum, min, max or all, or in");
    }
    return expr;
}

ExprPtr Typer::condition(const Syntax& node) {
    const ExprPtr expr = value(node);
    return expr ? as_condition(expr, node) : nullptr;
}

ExprPtr Typer::as_condition(const ExprPtr& expr, const Syntax& node) {
    if (expr->type == ExprType::boolean) return expr;
    if (expr->open) return as(expr, ExprType::boolean, node);
    return fail(node, "TYPE_MISMATCH",
                "a condition is needed here, but this is " + in_words(expr->type) + ".",
                "compare it with something");
}

ExprPtr Typer::any(const Syntax& node) {
    switch (node.kind) {
        case ExprKind::literal:
            return literal(node);
        case ExprKind::list: {
            std::vector<ExprPtr> items;
            for (const Syntax& item : node.args) {
                items.push_back(value(item));
                if (!items.back()) return nullptr;
            }
            return made(ExprKind::list, ExprType::list, std::move(items));
        }
        case ExprKind::path:
            return path(node);
        case ExprKind::not_:
        case ExprKind::negate:
            return negated(node);
        case ExprKind::and_:
        case ExprKind::or_:
            return joined(node);
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compared(node);
        case ExprKind::in:
            return member_of(node);
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return arithmetic(node);
        case ExprKind::call:
            return call(node);
    }
    return nullptr;
}

ExprPtr Typer::literal(const Syntax& node) {
    if (node.type == ExprType::integer && !is_integer(node.text)) {
        return fail(node, "BAD_EXPRESSION", "this number is too large.");
    }
    auto expr = std::make_shared<Expr>();
    expr->type = node.type;
    expr->text = node.text;
    return expr;
}

ExprPtr Typer::negated(const Syntax& node) {
    if (node.kind == ExprKind::not_) {
        ExprPtr inside = condition(node.args[0]);
        return inside ? made(ExprKind::not_, ExprType::boolean, {inside}) : nullptr;
    }
    ExprPtr inside = value(node.args[0]);
    if (!inside) return nullptr;
    if (inside->open) inside = as(inside, ExprType::decimal, node);
    if (!is_number(inside->type) && inside->type != ExprType::duration) {
        return fail(node, "TYPE_MISMATCH",
                    "- needs a number, but this is " + in_words(inside->type) + ".");
    }
    return made(ExprKind::negate, inside->type, {inside});
}

ExprPtr Typer::joined(const Syntax& node) {
    std::vector<ExprPtr> args;
    bool sound = true;
    for (const Syntax& arg : node.args) {
        const ExprPtr expr = value(arg);
        const bool text = expr && expr->type == ExprType::text && !expr->open;
        if (text && node.kind == ExprKind::or_) {
            return fail(arg, "TYPE_MISMATCH", "a condition is needed here, but this is a text.",
                        "|| is or; texts are joined with +: code + ' ' + title");
        }
        args.push_back(expr ? as_condition(expr, arg) : nullptr);
        sound = sound && args.back();
    }
    return sound ? made(node.kind, ExprType::boolean, std::move(args)) : nullptr;
}

ExprType Typer::sum_type(ExprKind kind, ExprType left, ExprType right) const {
    if (is_number(left) && is_number(right)) {
        return left == right ? left : ExprType::decimal;
    }
    if (kind != ExprKind::add && kind != ExprKind::sub) return ExprType::null;
    const bool adds = kind == ExprKind::add;
    if (adds && left == ExprType::text && right == ExprType::text) return ExprType::text;
    if (left == ExprType::duration && right == ExprType::duration) return ExprType::duration;
    const auto is_day_or_moment = [](ExprType type) {
        return type == ExprType::date || type == ExprType::timestamp;
    };
    if (is_day_or_moment(left) && right == ExprType::duration) return ExprType::timestamp;
    if (adds && left == ExprType::duration && is_day_or_moment(right)) return ExprType::timestamp;
    if (!adds && left == ExprType::date && right == ExprType::date) return ExprType::integer;
    if (!adds && left == ExprType::timestamp && right == left) return ExprType::duration;
    return ExprType::null;
}

// A date that is moved by whole days, which are written as such.
bool Typer::makes_day(ExprKind kind, const Expr& left, const Expr& right) const {
    const bool adds = kind == ExprKind::add;
    if (!adds && kind != ExprKind::sub) return false;
    if (left.type == ExprType::date) return whole_days(right).has_value();
    return adds && right.type == ExprType::date && whole_days(left).has_value();
}

ExprPtr Typer::not_reckoned(const Syntax& node, const Expr& left, const Expr& right) {
    const auto either = [&](ExprType type) { return left.type == type || right.type == type; };
    const bool number = is_number(left.type) || is_number(right.type);
    std::string fix;
    if (number && either(ExprType::date)) fix = "write duration('7d') for seven days";
    if (number && either(ExprType::timestamp)) {
        fix = "write duration('2h') for two hours, duration('7d') for seven days";
    }
    if (number && either(ExprType::duration)) fix = "write the whole of it: duration('14d')";
    if (number && either(ExprType::text)) fix = "texts are joined with texts: write '1', not 1";
    if (either(ExprType::time)) {
        fix = "times of day can only be compared: use datetime fields where lengths count";
    }
    if (left.type == ExprType::duration && either(ExprType::date) && node.kind == ExprKind::sub) {
        fix = "begin with the date: due - duration('7d')";
    }
    if (left.type == right.type && node.kind == ExprKind::add) {
        if (left.type == ExprType::date) fix = "the days between two dates are one minus the other";
        if (left.type == ExprType::timestamp) {
            fix = "the time between two moments is one minus the other";
        }
    }
    return fail(node, "TYPE_MISMATCH",
                in_words(left.type) + " and " + in_words(right.type) +
                    " cannot be reckoned together like this.",
                fix);
}

ExprPtr Typer::arithmetic(const Syntax& node) {
    ExprPtr left = value(node.args[0]);
    ExprPtr right = value(node.args[1]);
    if (!left || !right) return nullptr;
    if (left->open != right->open) {
        ExprPtr& unknown = left->open ? left : right;
        unknown = as(unknown, left->open ? right->type : left->type, node);
    }
    if (makes_day(node.kind, *left, *right)) return made(node.kind, ExprType::date, {left, right});
    if (node.kind == ExprKind::sub && left->type == ExprType::timestamp) right = moment(right);
    if (node.kind == ExprKind::sub && right->type == ExprType::timestamp) left = moment(left);
    const ExprType type = sum_type(node.kind, left->type, right->type);
    if (type == ExprType::null) return not_reckoned(node, *left, *right);
    const bool depends_on_zone =
        type == ExprType::timestamp &&
        (left->type == ExprType::timestamp || right->type == ExprType::timestamp);
    if (scope_.computed && depends_on_zone) {
        return fail(node, "BAD_OPERAND", "a computed field cannot add to a moment.",
                    "make the field a date, or compute it where it is used");
    }
    return made(node.kind, type, {left, right});
}

ExprPtr Typer::moment(const ExprPtr& date) const {
    if (date->type != ExprType::date) return date;
    if (is_literal(*date)) {
        auto out = std::make_shared<Expr>(*date);
        out->type = ExprType::timestamp;
        return out;
    }
    auto call = std::make_shared<Expr>();
    call->kind = ExprKind::call;
    call->type = ExprType::timestamp;
    call->text = kMoment;
    call->args = {date};
    return call;
}

ExprPtr Typer::as(const ExprPtr& expr, ExprType type, const Syntax& node) {
    if (expr->type == type) return expr;
    if (is_number(expr->type) && type == ExprType::decimal) return expr;
    if (expr->type == ExprType::date && type == ExprType::timestamp) return moment(expr);
    if (expr->open) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        out->open = false;
        return out;
    }
    if (is_part(*expr) && type == ExprType::uuid) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        return out;
    }
    const bool text = is_literal(*expr) && expr->type == ExprType::text;
    if (text && can_be_written_as(expr->text, type)) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        return out;
    }
    return fail(node, "TYPE_MISMATCH",
                in_words(type) + " is needed here, but this is " +
                    (text ? "the text '" + expr->text + "'" : in_words(expr->type)) + ".",
                mend(expr->type, type));
}

}  // namespace svc::model
