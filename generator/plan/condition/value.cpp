// Values of expressions, for conditions of the server.
#include <cstdint>

#include "base/ascii.hpp"
#include "model/expr/typer.hpp"
#include "plan/condition/parts.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;

ConditionPtr constant(const char* function, const std::string& text, ConditionType type) {
    return piece({.kind = ConditionKind::constant, .type = type, .name = text, .of = function});
}

ConditionPtr text_literal(std::string text) {
    return piece(
        {.kind = ConditionKind::literal, .type = ConditionType::text, .name = std::move(text)});
}

// "2026-11-21": the day's midnight where the app lives.
bool is_day(const std::string& text) { return text.size() == 10; }

ConditionPtr literal_of(const Expr& expr, const model::Model& model) {
    switch (expr.type) {
        case ExprType::boolean:
            return truth(expr.text == "true");
        case ExprType::integer:
            return integer_literal(expr.text);
        case ExprType::decimal:
            return constant("number", expr.text, ConditionType::number);
        case ExprType::text:
            return text_literal(expr.text);
        case ExprType::uuid:
            return text_literal(base::lower(expr.text));
        case ExprType::date:
            return constant("day", expr.text, ConditionType::day);
        case ExprType::time:
            return constant("time_of_day", expr.text, ConditionType::time);
        case ExprType::timestamp:
            if (is_day(expr.text) && !lives_in_utc(model)) return nullptr;
            return constant("moment", expr.text, ConditionType::moment);
        case ExprType::duration:
        case ExprType::tags:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            return nullptr;
    }
    return nullptr;
}

// A day that something is added to becomes a moment at its midnight.
ConditionPtr moment_operand(const Expr& expr, const model::Model& model) {
    ConditionPtr value = value_of(expr, model);
    if (!value || value->type != ConditionType::day) return value;
    if (!lives_in_utc(model)) return nullptr;
    return called("midnight", {std::move(value)}, ConditionType::moment);
}

ConditionType result_type(const Expr& expr) {
    switch (expr.type) {
        case ExprType::integer:
            return expr.args[0]->type == ExprType::date ? ConditionType::integer
                                                        : ConditionType::number;
        case ExprType::decimal:
            return ConditionType::number;
        case ExprType::text:
            return ConditionType::text;
        case ExprType::timestamp:
            return ConditionType::moment;
        case ExprType::duration:
        case ExprType::boolean:
        case ExprType::date:
        case ExprType::time:
        case ExprType::uuid:
        case ExprType::tags:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            return ConditionType::span;
    }
    return ConditionType::span;
}

const char* symbol(ExprKind kind) {
    if (kind == ExprKind::add) return "+";
    if (kind == ExprKind::sub) return "-";
    return kind == ExprKind::mul ? "*" : "/";
}

// A day and whole days.
ConditionPtr moved_day(const Expr& expr, const model::Model& model) {
    const bool first = expr.args[0]->type == ExprType::date;
    const std::int64_t written = model::whole_days(*expr.args[first ? 1 : 0]).value_or(0);
    const std::int64_t days = expr.kind == ExprKind::sub ? -written : written;
    ConditionPtr day = value_of(*expr.args[first ? 0 : 1], model);
    if (!day) return nullptr;
    return called("days_after", {std::move(day), integer_literal(std::to_string(days))},
                  ConditionType::day);
}

ConditionPtr arithmetic(const Expr& expr, const model::Model& model) {
    if (expr.kind == ExprKind::div && expr.type == ExprType::integer)
        return function_of("whole_quotient", expr.args, ConditionType::number, model);
    if (expr.type == ExprType::date) return moved_day(expr, model);
    const auto operand = expr.type == ExprType::timestamp ? moment_operand : value_of;
    const ConditionPtr left = operand(*expr.args[0], model);
    const ConditionPtr right = operand(*expr.args[1], model);
    if (!left || !right) return nullptr;
    return piece({.kind = ConditionKind::calculate,
                  .type = result_type(expr),
                  .name = symbol(expr.kind),
                  .args = {left, right}});
}

ConditionPtr negated(const Expr& expr, const model::Model& model) {
    const ConditionPtr value = value_of(*expr.args[0], model);
    if (!value) return nullptr;
    const bool span = value->type == ConditionType::span;
    return piece({.kind = ConditionKind::minus,
                  .type = span ? ConditionType::span : ConditionType::number,
                  .args = {value}});
}

}  // namespace

ConditionPtr integer_literal(std::string digits) {
    return piece({.kind = ConditionKind::literal,
                  .type = ConditionType::integer,
                  .name = std::move(digits)});
}

bool lives_in_utc(const model::Model& model) {
    const std::string& zone = model.app.timezone;
    return zone == "UTC" || zone == "Etc/UTC";
}

ConditionPtr value_of(const Expr& expr, const model::Model& model) {
    switch (expr.kind) {
        case ExprKind::literal:
            return literal_of(expr, model);
        case ExprKind::path:
            return path_of(expr, model);
        case ExprKind::negate:
            return negated(expr, model);
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return arithmetic(expr, model);
        case ExprKind::call:
            return call_of(expr, model);
        case ExprKind::list:
            return nullptr;
        case ExprKind::not_:
            return opposite_of(expr, model);
        case ExprKind::and_:
        case ExprKind::or_:
            return junction_of(expr, model);
        case ExprKind::in:
            return membership_of(expr, model);
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return comparison_of(expr, model);
    }
    return nullptr;
}

}  // namespace svc::plan
