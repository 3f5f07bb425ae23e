// Values of expressions as C++.
#include <cstdint>

#include "base/ascii.hpp"
#include "model/expr/typer.hpp"
#include "plan/condition/parts.hpp"
#include "plan/condition/text.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;

CppCode called(const char* function, const std::string& text, CppType type) {
    return {"svc::" + std::string(function) + "(" + cpp_literal(text) + ")", type};
}

// "2026-11-21": the day's midnight where the app lives.
bool is_day(const std::string& text) { return text.size() == 10; }

MaybeCode literal_code(const Expr& expr, const CppScope& scope) {
    switch (expr.type) {
        case ExprType::boolean:
            return CppCode{expr.text, CppType::truth};
        case ExprType::integer:
            return CppCode{expr.text, CppType::integer, Binding::primary, true};
        case ExprType::decimal:
            return called("number", expr.text, CppType::number);
        case ExprType::text:
            return CppCode{cpp_literal(expr.text), CppType::text, Binding::primary, true};
        case ExprType::uuid:
            return CppCode{cpp_literal(base::lower(expr.text)), CppType::text, Binding::primary,
                           true};
        case ExprType::date:
            return called("day", expr.text, CppType::day);
        case ExprType::time:
            return called("time_of_day", expr.text, CppType::time);
        case ExprType::timestamp:
            if (is_day(expr.text) && !lives_in_utc(scope)) return std::nullopt;
            return called("moment", expr.text, CppType::moment);
        case ExprType::duration:
        case ExprType::tags:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            return std::nullopt;
    }
    return std::nullopt;
}

// A day that something is added to becomes a moment at its midnight.
MaybeCode moment_operand(const Expr& expr, const CppScope& scope) {
    MaybeCode code = cpp_value(expr, scope);
    if (!code || code->type != CppType::day) return code;
    if (!lives_in_utc(scope)) return std::nullopt;
    return CppCode{"svc::midnight(" + code->text + ")", CppType::moment};
}

CppType result_type(const Expr& expr) {
    switch (expr.type) {
        case ExprType::integer:
            return expr.args[0]->type == ExprType::date ? CppType::integer : CppType::number;
        case ExprType::decimal:
            return CppType::number;
        case ExprType::text:
            return CppType::text;
        case ExprType::timestamp:
            return CppType::moment;
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
            return CppType::span;
    }
    return CppType::span;
}

const char* symbol(ExprKind kind) {
    if (kind == ExprKind::add) return " + ";
    if (kind == ExprKind::sub) return " - ";
    return kind == ExprKind::mul ? " * " : " / ";
}

// A day and whole days.
MaybeCode moved_day(const Expr& expr, const CppScope& scope) {
    const bool first = expr.args[0]->type == ExprType::date;
    const std::int64_t written = model::whole_days(*expr.args[first ? 1 : 0]).value_or(0);
    const std::int64_t days = expr.kind == ExprKind::sub ? -written : written;
    MaybeCode code = cpp_value(*expr.args[first ? 0 : 1], scope);
    if (!code) return code;
    return CppCode{"svc::days_after(" + code->text + ", " + std::to_string(days) + ")",
                   CppType::day};
}

MaybeCode arithmetic(const Expr& expr, const CppScope& scope) {
    if (expr.kind == ExprKind::div && expr.type == ExprType::integer) {
        return cpp_function("whole_quotient", expr.args, CppType::number, scope);
    }
    if (expr.type == ExprType::date) return moved_day(expr, scope);
    const bool moves = expr.type == ExprType::timestamp;
    const auto operand = moves ? moment_operand : cpp_value;
    const MaybeCode left = operand(*expr.args[0], scope);
    const MaybeCode right = operand(*expr.args[1], scope);
    if (!left || !right) return std::nullopt;
    const std::string first = left->literal ? left_operand(*left) : inside(*left, Binding::primary);
    return CppCode{first + symbol(expr.kind) + inside(*right, Binding::primary), result_type(expr),
                   Binding::arithmetic};
}

MaybeCode negated(const Expr& expr, const CppScope& scope) {
    MaybeCode code = cpp_value(*expr.args[0], scope);
    if (!code) return code;
    const std::string operand =
        code->literal ? left_operand(*code) : inside(*code, Binding::primary);
    const bool span = code->type == CppType::span;
    return CppCode{"-" + operand, span ? CppType::span : CppType::number, Binding::arithmetic};
}

}  // namespace

std::string inside(const CppCode& code, Binding least) {
    return code.binding < least ? "(" + code.text + ")" : code.text;
}

std::string left_operand(const CppCode& code) {
    if (!code.literal) return inside(code, Binding::arithmetic);
    return (code.type == CppType::text ? "svc::text(" : "svc::number(") + code.text + ")";
}

bool lives_in_utc(const CppScope& scope) {
    const std::string& zone = scope.model.app.timezone;
    return zone == "UTC" || zone == "Etc/UTC";
}

MaybeCode cpp_value(const Expr& expr, const CppScope& scope) {
    switch (expr.kind) {
        case ExprKind::literal:
            return literal_code(expr, scope);
        case ExprKind::path:
            return cpp_path(expr, scope);
        case ExprKind::negate:
            return negated(expr, scope);
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return arithmetic(expr, scope);
        case ExprKind::call:
            return cpp_call(expr, scope);
        case ExprKind::list:
            return std::nullopt;
        case ExprKind::not_:
        case ExprKind::and_:
        case ExprKind::or_:
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
        case ExprKind::in:
            return cpp_predicate(expr, scope);
    }
    return std::nullopt;
}

}  // namespace svc::plan
