#include "check/formula/condition.hpp"

namespace svc::check {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::Step;

const char* operator_of(ExprKind kind) {
    switch (kind) {
        case ExprKind::and_:
            return " && ";
        case ExprKind::or_:
            return " || ";
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
        case ExprKind::in:
            return " in ";
        case ExprKind::add:
            return " + ";
        case ExprKind::sub:
            return " - ";
        case ExprKind::mul:
            return " * ";
        case ExprKind::div:
            return " / ";
        default:
            return nullptr;
    }
}

std::string literal(const Expr& expr) {
    switch (expr.type) {
        case ExprType::null:
            return "null";
        case ExprType::boolean:
        case ExprType::integer:
        case ExprType::decimal:
            return expr.text;
        default:
            return quoted(expr.text);
    }
}

// A ref that is walked is written without its _id.
std::string step_name(const model::Model& model, const Step& step, bool last) {
    if (!step.builtin.empty()) return step.builtin;
    const model::Entity& entity = model.entities[step.entity];
    if (step.kind == Step::Kind::many) {
        for (const model::Relation& relation : entity.relations) {
            if (relation.entity == step.target && relation.field == step.field)
                return relation.name;
        }
        return {};
    }
    std::string name = entity.fields[step.field].name;
    const bool walked = step.kind == Step::Kind::ref && !last;
    if (walked && name.ends_with("_id")) name.resize(name.size() - 3);
    return name;
}

std::string path(const model::Model& model, const Expr& expr, const std::string& prefix) {
    if (expr.root == model::Root::user) return "user." + std::string(base::word(expr.attribute));
    std::string out = expr.root == model::Root::row    ? prefix
                      : expr.root == model::Root::new_ ? "new."
                                                       : "old.";
    for (std::size_t i = 0; i < expr.steps.size(); ++i) {
        const bool last = i + 1 == expr.steps.size();
        out += step_name(model, expr.steps[i], last) + (last ? "" : ".");
    }
    return out;
}

std::string arguments(const model::Model& model, const Expr& expr, const std::string& prefix) {
    std::string out;
    for (const auto& arg : expr.args) {
        out += (out.empty() ? "" : ", ") + expression_text(model, *arg, prefix);
    }
    return out;
}

}  // namespace

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == '\t') {
            out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
            continue;
        }
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string expression_text(const model::Model& model, const Expr& expr,
                            const std::string& prefix) {
    const auto inner = [&](const model::ExprPtr& arg) {
        const std::string text = expression_text(model, *arg, prefix);
        return operator_of(arg->kind) != nullptr ? "(" + text + ")" : text;
    };
    switch (expr.kind) {
        case ExprKind::literal:
            return literal(expr);
        case ExprKind::list:
            return "[" + arguments(model, expr, prefix) + "]";
        case ExprKind::path:
            return path(model, expr, prefix);
        case ExprKind::not_:
            return "!" + inner(expr.args[0]);
        case ExprKind::negate:
            return "-" + inner(expr.args[0]);
        case ExprKind::call:
            if (expr.function == model::ExprFunction::moment)
                return expression_text(model, *expr.args[0], prefix);
            return std::string(base::word(expr.function)) + "(" + arguments(model, expr, prefix) +
                   ")";
        default:
            break;
    }
    std::string out;
    for (const auto& arg : expr.args) {
        out += (out.empty() ? "" : operator_of(expr.kind)) + inner(arg);
    }
    return out;
}

}  // namespace svc::check
