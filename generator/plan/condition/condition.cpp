#include "plan/condition/condition.hpp"

#include "model/expr/typer.hpp"
#include "plan/condition/parts.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::is_null_literal;

CppCode truth(std::string text, Binding binding) {
    return {std::move(text), CppType::truth, binding, false};
}

const char* cpp_operator(ExprKind kind) {
    switch (kind) {
        case ExprKind::eq:
            return " == ";
        case ExprKind::ne:
            return " != ";
        case ExprKind::lt:
            return " < ";
        case ExprKind::le:
            return " <= ";
        case ExprKind::gt:
            return " > ";
        case ExprKind::ge:
            return " >= ";
        case ExprKind::literal:
        case ExprKind::list:
        case ExprKind::path:
        case ExprKind::not_:
        case ExprKind::negate:
        case ExprKind::and_:
        case ExprKind::or_:
        case ExprKind::in:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
        case ExprKind::call:
            return nullptr;
    }
    return nullptr;
}

// Predicates and literals are never null.
MaybeCode null_test(const Expr& operand, bool wants_null, const CppScope& scope) {
    if (is_null_literal(operand)) return truth(wants_null ? "true" : "false", Binding::primary);
    MaybeCode code = cpp_value(operand, scope);
    if (!code) return code;
    if (code->type == CppType::truth || code->literal) {
        return truth(wants_null ? "false" : "true", Binding::primary);
    }
    if (wants_null) return truth("svc::is_null(" + code->text + ")", Binding::primary);
    return truth("!svc::is_null(" + code->text + ")", Binding::comparison);
}

MaybeCode compare(const Expr& expr, const CppScope& scope) {
    const Expr& left = *expr.args[0];
    const Expr& right = *expr.args[1];
    if (is_null_literal(left) || is_null_literal(right)) {
        return null_test(is_null_literal(left) ? right : left, expr.kind == ExprKind::eq, scope);
    }
    const MaybeCode one = cpp_value(left, scope);
    const MaybeCode other = cpp_value(right, scope);
    if (!one || !other) return std::nullopt;
    return truth(left_operand(*one) + cpp_operator(expr.kind) + inside(*other, Binding::arithmetic),
                 Binding::comparison);
}

MaybeCode membership(const Expr& expr, const CppScope& scope) {
    const Expr& list = *expr.args[1];
    if (list.kind == ExprKind::list) {
        if (list.args.empty()) return truth("false", Binding::primary);
        std::vector<model::ExprPtr> args = {expr.args[0]};
        args.insert(args.end(), list.args.begin(), list.args.end());
        MaybeCode code = cpp_common("in", args, scope);
        if (code) code->type = CppType::truth;
        return code;
    }
    if (list.type != ExprType::tags) return std::nullopt;
    MaybeCode code =
        cpp_function("contains", {expr.args[1], expr.args[0]}, CppType::boolean, scope);
    if (!code) return code;
    return truth("svc::is_true(" + code->text + ")", Binding::primary);
}

std::optional<std::string> condition(const Expr& expr, const CppScope& scope, Binding least) {
    const MaybeCode code = cpp_value(expr, scope);
    if (!code) return std::nullopt;
    if (code->type == CppType::truth) return inside(*code, least);
    return "svc::is_true(" + code->text + ")";
}

MaybeCode junction(const Expr& expr, const CppScope& scope) {
    std::string out;
    for (const auto& arg : expr.args) {
        const auto one = condition(*arg, scope, Binding::comparison);
        if (!one) return std::nullopt;
        out += (out.empty() ? "" : expr.kind == ExprKind::and_ ? " && " : " || ") + *one;
    }
    return truth(out, Binding::junction);
}

}  // namespace

MaybeCode cpp_predicate(const Expr& expr, const CppScope& scope) {
    switch (expr.kind) {
        case ExprKind::and_:
        case ExprKind::or_:
            return junction(expr, scope);
        case ExprKind::not_: {
            const auto inner = condition(*expr.args[0], scope, Binding::primary);
            if (!inner) return std::nullopt;
            return truth("!" + *inner, Binding::comparison);
        }
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compare(expr, scope);
        case ExprKind::in:
            return membership(expr, scope);
        case ExprKind::literal:
        case ExprKind::list:
        case ExprKind::path:
        case ExprKind::negate:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
        case ExprKind::call:
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::string> cpp_true(const Expr& expr, const CppScope& scope, bool operand) {
    return condition(expr, scope, operand ? Binding::comparison : Binding::junction);
}

}  // namespace svc::plan
