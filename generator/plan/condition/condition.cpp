#include "plan/condition/condition.hpp"

#include <algorithm>
#include <utility>

#include "model/expr/typer.hpp"
#include "plan/condition/parts.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::is_null_literal;

constexpr std::pair<ExprKind, const char*> kComparisons[] = {
    {ExprKind::eq, "=="}, {ExprKind::ne, "!="}, {ExprKind::lt, "<"},
    {ExprKind::le, "<="}, {ExprKind::gt, ">"},  {ExprKind::ge, ">="},
};

// Predicates and literals are never null.
ConditionPtr null_test(const Expr& operand, bool wants_null, const model::Model& model) {
    if (is_null_literal(operand)) return truth(wants_null);
    const ConditionPtr value = value_of(operand, model);
    if (!value) return nullptr;
    if (value->type == ConditionType::truth || value->kind == ConditionKind::literal)
        return truth(!wants_null);
    const ConditionPtr is_null = called("is_null", {value}, ConditionType::truth);
    return wants_null ? is_null : negation(is_null);
}

ConditionPtr one_of(const Expr& expr, const model::Model& model) {
    const Expr& list = *expr.args[1];
    if (list.args.empty()) return truth(false);
    std::vector<model::ExprPtr> args = {expr.args[0]};
    args.insert(args.end(), list.args.begin(), list.args.end());
    const ConditionPtr in = common_of("in", args, model);
    if (!in) return nullptr;
    Condition out = *in;
    out.type = ConditionType::truth;
    return piece(std::move(out));
}

}  // namespace

ConditionPtr comparison_of(const Expr& expr, const model::Model& model) {
    const Expr& left = *expr.args[0];
    const Expr& right = *expr.args[1];
    if (is_null_literal(left) || is_null_literal(right))
        return null_test(is_null_literal(left) ? right : left, expr.kind == ExprKind::eq, model);
    const ConditionPtr one = value_of(left, model);
    const ConditionPtr other = value_of(right, model);
    if (!one || !other) return nullptr;
    const auto* known =
        std::ranges::find(kComparisons, expr.kind, &std::pair<ExprKind, const char*>::first);
    return piece({.kind = ConditionKind::compare,
                  .type = ConditionType::truth,
                  .name = known->second,
                  .args = {one, other}});
}

ConditionPtr membership_of(const Expr& expr, const model::Model& model) {
    const Expr& list = *expr.args[1];
    if (list.kind == ExprKind::list) return one_of(expr, model);
    if (list.type != ExprType::tags) return nullptr;
    const ConditionPtr in =
        function_of("contains", {expr.args[1], expr.args[0]}, ConditionType::boolean, model);
    return in ? called("is_true", {in}, ConditionType::truth) : nullptr;
}

ConditionPtr junction_of(const Expr& expr, const model::Model& model) {
    const bool all = expr.kind == ExprKind::and_;
    Condition out{.kind = all ? ConditionKind::all : ConditionKind::any};
    for (const auto& arg : expr.args) {
        ConditionPtr one = server_condition(*arg, model);
        if (!one) return nullptr;
        out.args.push_back(std::move(one));
    }
    return piece(std::move(out));
}

ConditionPtr opposite_of(const Expr& expr, const model::Model& model) {
    ConditionPtr inner = server_condition(*expr.args[0], model);
    return inner ? negation(std::move(inner)) : nullptr;
}

ConditionPtr piece(Condition condition) {
    return std::make_shared<const Condition>(std::move(condition));
}

ConditionPtr truth(bool is) {
    return piece({.kind = ConditionKind::truth, .name = is ? "true" : "false"});
}

ConditionPtr called(const std::string& name, std::vector<ConditionPtr> args, ConditionType type) {
    return piece(
        {.kind = ConditionKind::call, .type = type, .name = name, .args = std::move(args)});
}

ConditionPtr negation(ConditionPtr of) {
    return piece({.kind = ConditionKind::not_, .args = {std::move(of)}});
}

ConditionPtr server_condition(const Expr& expr, const model::Model& model) {
    ConditionPtr value = value_of(expr, model);
    if (!value || value->type == ConditionType::truth) return value;
    return called("is_true", {std::move(value)}, ConditionType::truth);
}

}  // namespace svc::plan
