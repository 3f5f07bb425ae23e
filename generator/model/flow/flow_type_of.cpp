// The deeper type of what was typed as an expression.
#include "model/flow/flow_work.hpp"

namespace svc::model {
namespace {

// The type at the beginning of the path; null: not known.
const FlowType* root_type(const FlowWork& flow, const Expr& path) {
    const FlowScope& names = flow.names;
    if (path.root == Root::input) return &names.input;
    if (path.root != Root::step && path.root != Root::local) return nullptr;
    for (const FlowMember& known : path.root == Root::step ? names.steps : names.locals) {
        if (known.name == path.text) return &known.type;
    }
    return nullptr;
}

// The type of a row's field, or of the row or rows that it leads to.
FlowType of_column(const FlowWork& flow, const Step& step) {
    if (step.kind == Step::Kind::ref || step.kind == Step::Kind::many) return row_of(step.target);
    if (step.builtin == "created_at" || step.builtin == "updated_at") {
        return scalar(ExprType::timestamp);
    }
    if (!step.builtin.empty()) return scalar(ExprType::uuid);
    return scalar(expr_type(flow.work.out.entities[step.entity].fields[step.field].type));
}

FlowType of_literal(const FlowValue& value) {
    const char first = value.json.empty() ? 'n' : value.json.front();
    if (first == '"') return scalar(ExprType::text);
    if (first == 't' || first == 'f') return scalar(ExprType::boolean);
    if (first != '-' && (first < '0' || first > '9')) return {};
    const bool whole = value.json.find_first_of(".eE") == std::string::npos;
    return scalar(whole ? ExprType::integer : ExprType::decimal);
}

// The common type of all items, or JSON if they differ.
FlowType element_of(const FlowWork& flow, const std::vector<FlowValue>& items) {
    FlowType out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        FlowType next = type_of(flow, items[i]);
        const bool plain = next.kind == FlowType::Kind::scalar || next.kind == FlowType::Kind::row;
        const bool alike =
            next.kind == out.kind && next.type == out.type && next.entity == out.entity;
        if (i > 0 && (!plain || !alike)) return {};
        out = std::move(next);
    }
    return out;
}

}  // namespace

FlowType type_of(const FlowWork& flow, const Expr& expr) {
    if (expr.kind == ExprKind::list) {
        return list_of(expr.args.empty() ? FlowType{} : type_of(flow, *expr.args.front()));
    }
    if (expr.type == ExprType::null) return {};
    if (expr.type == ExprType::tags) return list_of(scalar(ExprType::text));
    if (expr.kind != ExprKind::path || expr.root == Root::user) return scalar(expr.type);
    const FlowType* known = root_type(flow, expr);
    const bool row = expr.root == Root::new_ || expr.root == Root::old_;
    FlowType at = row ? row_of(flow.scope.entity) : FlowType{};
    bool many = false;
    for (const Step& step : expr.steps) {
        many = many || step.kind == Step::Kind::many;
        if (step.kind == Step::Kind::member) {
            known = known == nullptr ? nullptr : known->find(step.builtin);
            if (known == nullptr) at = {};
        } else {
            known = nullptr;
            at = of_column(flow, step);
        }
    }
    if (known != nullptr) at = *known;
    if (many) return list_of(std::move(at));
    // JSON that took the type of its place.
    return at.open() && !expr.open ? scalar(expr.type) : at;
}

FlowType type_of(const FlowWork& flow, const FlowValue& value) {
    switch (value.kind) {
        case FlowValue::Kind::literal:
            return of_literal(value);
        case FlowValue::Kind::text:
            return scalar(ExprType::text);
        case FlowValue::Kind::expr:
            return type_of(flow, *value.expr);
        case FlowValue::Kind::list:
            return list_of(element_of(flow, value.items));
        case FlowValue::Kind::object:
            break;
    }
    return type_of(flow, value.members);
}

FlowType type_of(const FlowWork& flow, const std::vector<FlowMemberValue>& values) {
    std::vector<FlowMember> members;
    std::size_t weight = 0;
    for (const FlowMemberValue& member : values) {
        members.push_back({member.name, type_of(flow, member.value)});
        weight += members.back().type.weight;
        if (weight > kMostTypes) return {};
    }
    return object_of(std::move(members));
}

FlowType type_of(const Field& param) { return scalar(expr_type(param.type)); }

}  // namespace svc::model
