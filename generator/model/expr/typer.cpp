#include "model/expr/typer.hpp"

#include <algorithm>
#include <utility>

#include "model/values.hpp"

namespace svc::model {

ExprPtr made(ExprKind kind, ExprType type, std::vector<ExprPtr> args) {
    auto expr = std::make_shared<Expr>();
    expr->kind = kind;
    expr->type = type;
    expr->args = std::move(args);
    return expr;
}

ExprPtr made_call(ExprFunction function, ExprType type, std::vector<ExprPtr> args) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::call;
    expr->type = type;
    expr->function = function;
    expr->args = std::move(args);
    return expr;
}

bool is_number(ExprType type) { return type == ExprType::integer || type == ExprType::decimal; }

bool is_literal(const Expr& expr) { return expr.kind == ExprKind::literal; }

bool is_call(const Expr& expr, ExprFunction function) {
    return expr.kind == ExprKind::call && expr.function == function;
}

bool is_null_literal(const Expr& expr) { return is_literal(expr) && expr.type == ExprType::null; }

bool is_part(const Expr& expr) { return expr.kind == ExprKind::path && expr.root == Root::part; }

bool of_many(const Expr& expr) {
    return expr.kind == ExprKind::path &&
           std::any_of(expr.steps.begin(), expr.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::many; });
}

std::string in_what(const ExprScope& scope, std::size_t offset) {
    if (offset == 0) return " of the expression: ";
    return scope.flow != nullptr ? " of the string: " : " of the message: ";
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
        return fail(node, "BAD_OPERAND", "a list is allowed only to the right of in.");
    }
    if (of_many(*expr)) {
        return fail(node, "BAD_OPERAND", "this is many rows, not one value.",
                    "use exists, count, sum, min, max, all or in");
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
                "expected a condition, but this is " + in_words(expr->type) + ".",
                "compare it with a value");
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
                    "\"-\" needs a number, but this is " + in_words(inside->type) + ".",
                    "name a number field, or write a number");
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
            return fail(arg, "TYPE_MISMATCH", "expected a condition, but this is a string.",
                        "|| means \"or\"; join strings with +: code + ' ' + title");
        }
        args.push_back(expr ? as_condition(expr, arg) : nullptr);
        sound = sound && args.back();
    }
    return sound ? made(node.kind, ExprType::boolean, std::move(args)) : nullptr;
}

}  // namespace svc::model
