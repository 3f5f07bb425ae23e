// The deeper type of what was typed as an expression.
#include "model/flow_work.hpp"

namespace svc::model {
namespace {

FlowType root_type(const FlowWork& flow, const Expr& path) {
    const FlowScope& names = flow.names;
    switch (path.root) {
        case Root::row:
        case Root::user:
            return scalar(path.type);
        case Root::new_:
        case Root::old_:
            return row_of(flow.scope.entity);
        case Root::input:
            return names.input;
        case Root::step:
        case Root::local:
            break;
    }
    for (const FlowMember& known : path.root == Root::step ? names.steps : names.locals) {
        if (known.name == path.text) return known.type;
    }
    return {};
}

FlowType after(const FlowWork& flow, const FlowType& at, const Step& step) {
    switch (step.kind) {
        case Step::Kind::ref:
            return row_of(step.target);
        case Step::Kind::many:
            return list_of(row_of(step.target));
        case Step::Kind::member: {
            const FlowType* member = at.find(step.builtin);
            return member == nullptr ? FlowType{} : *member;
        }
        case Step::Kind::field:
            break;
    }
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

}  // namespace

FlowType type_of(const FlowWork& flow, const Expr& expr) {
    if (expr.kind == ExprKind::list) {
        return list_of(expr.args.empty() ? FlowType{} : type_of(flow, *expr.args.front()));
    }
    if (expr.type == ExprType::null) return {};
    if (expr.type == ExprType::tags) return list_of(scalar(ExprType::text));
    if (expr.kind != ExprKind::path || expr.root == Root::user) return scalar(expr.type);
    FlowType at = root_type(flow, expr);
    bool many = false;
    for (const Step& step : expr.steps) {
        at = after(flow, at, step);
        if (step.kind != Step::Kind::many) continue;
        many = true;
        const FlowType element = at.element.front();
        at = element;
    }
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
            return list_of(value.items.empty() ? FlowType{} : type_of(flow, value.items.front()));
        case FlowValue::Kind::object:
            break;
    }
    std::vector<FlowMember> members;
    for (const FlowMemberValue& member : value.members) {
        members.push_back({member.name, type_of(flow, member.value)});
    }
    return object_of(std::move(members));
}

FlowType type_of(const Field& param) { return scalar(expr_type(param.type)); }

}  // namespace svc::model
