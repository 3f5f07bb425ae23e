// Comparisons, `in`, and the values that a side can have at all.
#include <algorithm>
#include <utility>

#include "model/expr/typer.hpp"

namespace svc::model {
namespace {

bool is_equality(ExprKind kind) { return kind == ExprKind::eq || kind == ExprKind::ne; }

// Types whose values have an order.
bool is_ordered(ExprType type) {
    switch (type) {
        case ExprType::integer:
        case ExprType::decimal:
        case ExprType::text:
        case ExprType::date:
        case ExprType::time:
        case ExprType::timestamp:
        case ExprType::duration:
            return true;
        case ExprType::boolean:
        case ExprType::uuid:
        case ExprType::tags:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
        case ExprType::null:
            return false;
    }
    return false;
}

}  // namespace

ExprPtr Typer::compared(const Syntax& node) {
    ExprPtr left = value(node.args[0]);
    ExprPtr right = value(node.args[1]);
    if (!left || !right) return nullptr;
    if (is_null_literal(*left) || is_null_literal(*right)) {
        if (is_equality(node.kind)) return made(node.kind, ExprType::boolean, {left, right});
        return fail(node, "BAD_OPERAND", "null has no order.", "use == null or != null");
    }
    if (!unify(left, right, node)) return nullptr;
    const ExprType type = left->type;
    const bool only_null_tests = type == ExprType::json || type == ExprType::tags;
    if (only_null_tests || (!is_equality(node.kind) && !is_ordered(type))) {
        return fail(node, "BAD_OPERAND", in_words(type) + " cannot be compared by this operator.",
                    type == ExprType::tags ? "use 'value' in tags" : "");
    }
    if (is_equality(node.kind)) {
        const bool known =
            (!is_literal(*right) || known_value(right, values_of(*left), node.args[1])) &&
            (!is_literal(*left) || known_value(left, values_of(*right), node.args[0]));
        if (!known) return nullptr;
    }
    return made(node.kind, ExprType::boolean, {left, right});
}

ExprPtr Typer::member_of(const Syntax& node) {
    const ExprPtr left = value(node.args[0]);
    const ExprPtr right = any(node.args[1]);
    if (!left || !right) return nullptr;
    if (right->kind == ExprKind::list) return item_of_list(node, left, right->args);
    if (right->open || right->type == ExprType::list)
        return made(ExprKind::in, ExprType::boolean, {left, right});
    return member_of_many(node, left, right);
}

// `in` with a list that the expression itself writes out.
ExprPtr Typer::item_of_list(const Syntax& node, ExprPtr left, std::vector<ExprPtr> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Syntax& at = node.args[1].args[i];
        if (is_null_literal(*items[i]))
            return fail(at, "BAD_OPERAND", "a list cannot contain null.", "add || … == null");
        if (!unify(left, items[i], node)) return nullptr;
        if (is_literal(*items[i]) && !known_value(items[i], values_of(*left), at)) return nullptr;
    }
    // A later item may have given the left side its type.
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!unify(left, items[i], node.args[1].args[i])) return nullptr;
    }
    if (left->type == ExprType::timestamp) {
        for (ExprPtr& item : items) item = moment(item);
    }
    const ExprPtr list = made(ExprKind::list, ExprType::list, std::move(items));
    return made(ExprKind::in, ExprType::boolean, {left, list});
}

// `in` with tags, or with the values of many rows.
ExprPtr Typer::member_of_many(const Syntax& node, ExprPtr left, const ExprPtr& right) {
    if (right->type != ExprType::tags && !of_many(*right)) {
        return fail(node, "BAD_OPERAND",
                    "in needs a list, tags or a relation on its right, but this is " +
                        in_words(right->type) + ".",
                    "write a list: ['a', 'b']");
    }
    const ExprType member = right->type == ExprType::tags   ? ExprType::text
                            : right->type == ExprType::rows ? ExprType::uuid
                                                            : right->type;
    left = as(left, member, node.args[0]);
    return left ? made(ExprKind::in, ExprType::boolean, {left, right}) : nullptr;
}

ExprPtr Typer::mismatch(const Syntax& node, const ExprPtr& left, const ExprPtr& right) {
    const bool length = left->type == ExprType::duration || right->type == ExprType::duration;
    const bool number = is_number(left->type) || is_number(right->type);
    const auto is = [&](ExprType type) { return left->type == type || right->type == type; };
    const auto caller = [](const Expr& expr) { return expr.root == Root::user; };
    const bool who = is(ExprType::uuid) && (caller(*left) || caller(*right));
    return fail(
        node, "TYPE_MISMATCH",
        in_words(left->type) + " cannot be compared with " + in_words(right->type) + ".",
        length && number ? "write a duration as duration('2h')"
        : who ? "write user.id for the id of the caller, user.org for the id of the organisation"
              : "compare values of the same type");
}

bool Typer::unify(ExprPtr& left, ExprPtr& right, const Syntax& node) {
    if (left->type == right->type) return true;
    if (is_number(left->type) && is_number(right->type)) return true;
    if (left->open != right->open) {
        ExprPtr& unknown = left->open ? left : right;
        const ExprType known = left->open ? right->type : left->type;
        // 7.5 > 5: what is compared with a whole number need not be one.
        unknown = as(unknown, is_number(known) ? ExprType::decimal : known, node);
        return true;
    }
    if (is_part(*left) && right->type == ExprType::uuid) left = as(left, ExprType::uuid, node);
    if (is_part(*right) && left->type == ExprType::uuid) right = as(right, ExprType::uuid, node);
    if (left->type == right->type) return true;
    ExprPtr& day = left->type == ExprType::date ? left : right;
    const ExprPtr& other = left->type == ExprType::date ? right : left;
    if (day->type == ExprType::date && other->type == ExprType::timestamp) {
        day = moment(day);
        return true;
    }
    if (is_literal(*right) && right->type == ExprType::text) {
        right = as(right, left->type, node.args[1]);
        return right != nullptr;
    }
    if (is_literal(*left) && left->type == ExprType::text) {
        left = as(left, right->type, node.args[0]);
        return left != nullptr;
    }
    mismatch(node, left, right);
    return false;
}

bool Typer::known_value(const ExprPtr& literal, const std::vector<std::string>& values,
                        const Syntax& node) {
    if (values.empty() || literal->type != ExprType::text) return true;
    if (std::find(values.begin(), values.end(), literal->text) != values.end()) return true;
    if (findings_.doubts(literal->text)) return true;
    const std::string near = diag::nearest(literal->text, values);
    std::string all;
    for (const std::string& value : values) all += (all.empty() ? "" : ", ") + value;
    fail(node, "UNKNOWN_VALUE", "'" + literal->text + "' is not a possible value here.",
         near.empty() ? "the values are " + all : "did you mean '" + near + "'?");
    return false;
}

std::vector<std::string> Typer::values_of(const Expr& expr) const {
    return known_values(expr, scope_.model);
}

std::vector<std::string> known_values(const Expr& expr, const Model& model) {
    if (expr.kind != ExprKind::path) return {};
    std::vector<std::string> out;
    if (expr.root == Root::user && expr.attribute == CallerAttribute::persona) {
        for (const Persona& persona : model.personas) out.push_back(persona.id);
        return out;
    }
    if (expr.steps.empty()) return {};
    const Step& last = expr.steps.back();
    if (last.kind != Step::Kind::field || !last.builtin.empty()) return {};
    return model.entities[last.entity].fields[last.field].values;
}

}  // namespace svc::model
