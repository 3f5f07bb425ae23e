// Numbers, texts, dates and durations that are added, subtracted, multiplied and divided.
#include "model/expr/typer.hpp"
#include "model/values.hpp"

namespace svc::model {

std::optional<std::int64_t> whole_days(const Expr& expr) {
    constexpr std::int64_t kDay = 86'400;
    if (expr.type != ExprType::duration) return std::nullopt;
    if (expr.kind == ExprKind::negate) {
        const auto days = whole_days(*expr.args[0]);
        return days ? std::optional(-*days) : std::nullopt;
    }
    if (!is_call(expr, ExprFunction::duration)) return std::nullopt;
    const auto seconds = seconds_of(expr.args[0]->text);
    if (!seconds || *seconds % kDay != 0) return std::nullopt;
    return *seconds / kDay;
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

// A date that is moved by a duration of whole days.
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
    if (number && either(ExprType::duration)) fix = "write the result: duration('14d')";
    if (number && either(ExprType::text)) fix = "join strings only with strings: write '1', not 1";
    if (either(ExprType::time)) {
        fix = "times can only be compared: use datetime fields to calculate";
    }
    if (left.type == ExprType::duration && either(ExprType::date) && node.kind == ExprKind::sub) {
        fix = "write the date first: due - duration('7d')";
    }
    if (left.type == right.type && node.kind == ExprKind::add) {
        if (left.type == ExprType::date)
            fix = "subtract one date from the other: the result is in days";
        if (left.type == ExprType::timestamp) {
            fix = "subtract one datetime from the other: the result is a duration";
        }
    }
    return fail(node, "TYPE_MISMATCH",
                in_words(left.type) + " and " + in_words(right.type) +
                    " cannot be combined by this operator.",
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
        return fail(node, "BAD_OPERAND", "a computed field cannot add to a datetime.",
                    "make the field a date, or compute it where it is used");
    }
    return made(node.kind, type, {left, right});
}

}  // namespace svc::model
