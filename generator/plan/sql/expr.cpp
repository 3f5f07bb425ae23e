#include "plan/sql/expr.hpp"

#include <algorithm>

#include "model/expr/typer.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::is_null_literal;

enum class Want { true_, false_ };

std::string predicate(const Expr& expr, const Scope& scope, Want want);

const char* sql_operator(ExprKind kind) {
    switch (kind) {
        case ExprKind::eq:
            return " = ";
        case ExprKind::ne:
            return " <> ";
        case ExprKind::lt:
            return " < ";
        case ExprKind::le:
            return " <= ";
        case ExprKind::gt:
            return " > ";
        case ExprKind::ge:
            return " >= ";
        default:
            return nullptr;
    }
}

// The operator for texts that ignores their collation: < as ~<~.
std::string bytes_operator(ExprKind kind) {
    const std::string plain = sql_operator(kind);
    return kind == ExprKind::eq ? plain : " ~" + plain.substr(1, plain.size() - 2) + "~ ";
}

// `leaf` is null if an operand is: that counts as false.
std::string leaf(const std::string& sql, Want want) {
    return want == Want::true_ ? sql : "(" + sql + ") is not true";
}

std::string null_test(const Expr& operand, const Scope& scope, bool is_null) {
    return sql_value(operand, scope) + (is_null ? " is null" : " is not null");
}

std::string compare(const Expr& expr, const Scope& scope, Want want) {
    const Expr& left = *expr.args[0];
    const Expr& right = *expr.args[1];
    const bool equality = expr.kind == ExprKind::eq || expr.kind == ExprKind::ne;
    if (equality && (is_null_literal(left) || is_null_literal(right))) {
        const bool wants_null = (expr.kind == ExprKind::eq) == (want == Want::true_);
        return null_test(is_null_literal(left) ? right : left, scope, wants_null);
    }
    const std::string one = sql_value(left, scope);  // in this order: aliases are numbered
    const std::string other = sql_value(right, scope);
    if (expr.kind == ExprKind::ne) {  // the exact opposite of ==, null operands included
        return leaf(one + " = " + other, want == Want::true_ ? Want::false_ : Want::true_);
    }
    const bool bytes = left.type == ExprType::text && orders_by_bytes(expr, scope.model);
    const std::string sign = bytes ? bytes_operator(expr.kind) : sql_operator(expr.kind);
    return leaf(one + sign + other, want);
}

// As values of functions and workflows are written. A bare literal has no type of its own.
std::string as_json(const std::string& needle, const Expr& in) {
    const Expr& from = *in.args[0];
    if (from.type == ExprType::timestamp) return "to_jsonb(svc.moment(" + needle + "))";
    const bool text = from.kind == ExprKind::literal && from.type == ExprType::text;
    return "to_jsonb(" + needle + (text ? "::text)" : ")");
}

std::string membership(const Expr& expr, const Scope& scope, Want want) {
    const std::string needle = sql_value(*expr.args[0], scope);
    const Expr& list = *expr.args[1];
    if (list.kind == ExprKind::list) {
        if (list.args.empty()) return want == Want::true_ ? "false" : "true";
        std::string items;
        for (const auto& item : list.args) {
            items += (items.empty() ? "" : ", ") + sql_value(*item, scope);
        }
        return leaf(needle + " in (" + items + ")", want);
    }
    if (list.type == ExprType::rows || (list.kind == ExprKind::path && crosses_many(list))) {
        return leaf(needle + " in " + many_column(list, scope), want);
    }
    if (list.type != ExprType::tags) {  // JSON of a function or workflow
        const bool is_json = expr.args[0]->type == ExprType::json;
        return leaf(sql_value(list, scope) + " @> " + (is_json ? needle : as_json(needle, expr)),
                    want);
    }
    return leaf(needle + " = any(" + sql_array(list, scope) + ")", want);
}

std::string junction(const Expr& expr, const Scope& scope, Want want) {
    const bool is_and = (expr.kind == ExprKind::and_) == (want == Want::true_);
    std::string out;
    for (const auto& arg : expr.args) {
        out += (out.empty() ? "" : is_and ? " and " : " or ") + predicate(*arg, scope, want);
    }
    return "(" + out + ")";
}

std::string predicate(const Expr& expr, const Scope& scope, Want want) {
    switch (expr.kind) {
        case ExprKind::and_:
        case ExprKind::or_:
            return junction(expr, scope, want);
        case ExprKind::not_:
            return predicate(*expr.args[0], scope,
                             want == Want::true_ ? Want::false_ : Want::true_);
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compare(expr, scope, want);
        case ExprKind::in:
            return membership(expr, scope, want);
        case ExprKind::literal:
            return (expr.text == "true") == (want == Want::true_) ? "true" : "false";
        default:
            return leaf(sql_value(expr, scope), want);
    }
}

}  // namespace

std::string sql_true(const Expr& expr, const Scope& scope) {
    return predicate(expr, scope, Want::true_);
}

std::string sql_false(const Expr& expr, const Scope& scope) {
    return predicate(expr, scope, Want::false_);
}

bool orders_by_bytes(const Expr& expr, const model::Model& model) {
    const auto external = [&](const model::Step& step) {
        return step.kind == model::Step::Kind::field && model.entities[step.entity].external;
    };
    return std::any_of(expr.steps.begin(), expr.steps.end(), external) ||
           std::any_of(expr.args.begin(), expr.args.end(),
                       [&](const model::ExprPtr& arg) { return orders_by_bytes(*arg, model); });
}

bool walks(const Expr& expr) {
    const auto leaves_row = [](const model::Step& step) {
        return step.kind != model::Step::Kind::field;
    };
    const bool asks = model::is_call(expr, model::ExprFunction::can);
    return asks || std::any_of(expr.steps.begin(), expr.steps.end(), leaves_row) ||
           std::any_of(expr.args.begin(), expr.args.end(),
                       [](const model::ExprPtr& arg) { return walks(*arg); });
}

}  // namespace svc::plan
