#include "model/typer.hpp"

#include <algorithm>
#include <utility>

#include "model/values.hpp"

namespace svc::model {
namespace {

bool is_equality(ExprKind kind) { return kind == ExprKind::eq || kind == ExprKind::ne; }

ExprPtr made(ExprKind kind, ExprType type, std::vector<ExprPtr> args) {
    auto expr = std::make_shared<Expr>();
    expr->kind = kind;
    expr->type = type;
    expr->args = std::move(args);
    return expr;
}

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

bool can_be_written_as(const std::string& text, ExprType type) {
    switch (type) {
        case ExprType::date:
            return is_date(text);
        case ExprType::time:
            return is_time(text);
        case ExprType::timestamp:
            return is_datetime(text) || is_date(text);
        case ExprType::uuid:
            return is_uuid(text);
        default:
            return false;
    }
}

}  // namespace

bool is_number(ExprType type) { return type == ExprType::integer || type == ExprType::decimal; }

bool is_literal(const Expr& expr) { return expr.kind == ExprKind::literal; }

bool is_null_literal(const Expr& expr) { return is_literal(expr) && expr.type == ExprType::null; }

bool of_many(const Expr& expr) {
    return expr.kind == ExprKind::path &&
           std::any_of(expr.steps.begin(), expr.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::many; });
}

std::string in_what(const ExprScope& scope, std::size_t offset) {
    if (offset == 0) return " of the expression: ";
    return scope.flow != nullptr ? " of the text: " : " of the message: ";
}

ExprPtr Typer::fail(const Syntax& node, std::string code, const std::string& message,
                    std::string fix) {
    findings_.error(
        std::move(code), path_,
        "Column " + std::to_string(node.column + offset_) + in_what(scope_, offset_) + message,
        std::move(fix));
    return nullptr;
}

ExprPtr Typer::value(const Syntax& node) {
    ExprPtr expr = any(node);
    if (!expr) return nullptr;
    if (expr->kind == ExprKind::list) {
        return fail(node, "BAD_OPERAND", "a list can stand only at the right of in.");
    }
    if (of_many(*expr)) {
        return fail(node, "BAD_OPERAND", "this names many rows, not one value.",
                    "use exists, count, sum, min, max or all, or in");
    }
    return expr;
}

ExprPtr Typer::condition(const Syntax& node) {
    ExprPtr expr = value(node);
    if (!expr || expr->type == ExprType::boolean) return expr;
    if (expr->open) return as(expr, ExprType::boolean, node);
    return fail(node, "TYPE_MISMATCH",
                "a condition is needed here, but this is " + in_words(expr->type) + ".",
                "compare it with something");
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
                    "- needs a number, but this is " + in_words(inside->type) + ".");
    }
    return made(ExprKind::negate, inside->type, {inside});
}

ExprPtr Typer::joined(const Syntax& node) {
    std::vector<ExprPtr> args;
    bool sound = true;
    for (const Syntax& arg : node.args) {
        args.push_back(condition(arg));
        sound = sound && args.back();
    }
    return sound ? made(node.kind, ExprType::boolean, std::move(args)) : nullptr;
}

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
        return fail(node, "BAD_OPERAND", in_words(type) + " cannot be compared like this.",
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
    ExprPtr left = value(node.args[0]);
    ExprPtr right = any(node.args[1]);
    if (!left || !right) return nullptr;
    if (right->kind == ExprKind::list) {
        std::vector<ExprPtr> items = right->args;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (is_null_literal(*items[i])) {
                return fail(node.args[1].args[i], "BAD_OPERAND", "null is in no list.",
                            "add || … == null");
            }
            if (!unify(left, items[i], node)) return nullptr;
            const bool known = !is_literal(*items[i]) ||
                               known_value(items[i], values_of(*left), node.args[1].args[i]);
            if (!known) return nullptr;
        }
        // A later item may have told what the left one is.
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!unify(left, items[i], node.args[1].args[i])) return nullptr;
        }
        if (left->type == ExprType::timestamp) {
            for (ExprPtr& item : items) item = moment(item);
        }
        right = made(ExprKind::list, ExprType::list, std::move(items));
        return made(ExprKind::in, ExprType::boolean, {left, right});
    }
    if (right->open || right->type == ExprType::list) {
        return made(ExprKind::in, ExprType::boolean, {left, right});
    }
    const bool has_members = right->type == ExprType::tags || of_many(*right);
    if (!has_members) {
        return fail(node, "BAD_OPERAND",
                    "in needs a list, tags or a relation at its right, but this is " +
                        in_words(right->type) + ".");
    }
    const ExprType member = right->type == ExprType::tags   ? ExprType::text
                            : right->type == ExprType::rows ? ExprType::uuid
                                                            : right->type;
    left = as(left, member, node.args[0]);
    return left ? made(ExprKind::in, ExprType::boolean, {left, right}) : nullptr;
}

ExprType Typer::sum_type(ExprKind kind, ExprType left, ExprType right) const {
    if (is_number(left) && is_number(right)) {
        return left == right ? left : ExprType::decimal;
    }
    if (kind != ExprKind::add && kind != ExprKind::sub) return ExprType::null;
    const bool adds = kind == ExprKind::add;
    if (adds && left == ExprType::text && right == ExprType::text) return ExprType::text;
    if (left == ExprType::duration && right == ExprType::duration) return ExprType::duration;
    const auto is_day_or_moment = [](ExprType type) {
        return type == ExprType::date || type == ExprType::timestamp;
    };
    if (is_day_or_moment(left) && right == ExprType::duration) return ExprType::timestamp;
    if (adds && left == ExprType::duration && is_day_or_moment(right)) return ExprType::timestamp;
    if (!adds && left == ExprType::date && right == ExprType::date) return ExprType::integer;
    if (!adds && left == ExprType::timestamp && right == left) return ExprType::duration;
    return ExprType::null;
}

ExprPtr Typer::arithmetic(const Syntax& node) {
    ExprPtr left = value(node.args[0]);
    ExprPtr right = value(node.args[1]);
    if (!left || !right) return nullptr;
    if (left->open != right->open) {
        ExprPtr& unknown = left->open ? left : right;
        unknown = as(unknown, left->open ? right->type : left->type, node);
    }
    const ExprType type = sum_type(node.kind, left->type, right->type);
    if (type == ExprType::null) {
        return fail(node, "TYPE_MISMATCH",
                    in_words(left->type) + " and " + in_words(right->type) +
                        " cannot be reckoned together like this.");
    }
    const bool depends_on_zone =
        type == ExprType::timestamp &&
        (left->type == ExprType::timestamp || right->type == ExprType::timestamp);
    if (scope_.computed && depends_on_zone) {
        return fail(node, "BAD_OPERAND", "a computed field cannot add to a moment.",
                    "make the field a date, or compute it where it is used");
    }
    return made(node.kind, type, {left, right});
}

ExprPtr Typer::mismatch(const Syntax& node, const ExprPtr& left, const ExprPtr& right) {
    return fail(node, "TYPE_MISMATCH",
                in_words(left->type) + " cannot be compared with " + in_words(right->type) + ".");
}

ExprPtr Typer::moment(const ExprPtr& date) const {
    if (date->type != ExprType::date) return date;
    if (is_literal(*date)) {
        auto out = std::make_shared<Expr>(*date);
        out->type = ExprType::timestamp;
        return out;
    }
    auto call = std::make_shared<Expr>();
    call->kind = ExprKind::call;
    call->type = ExprType::timestamp;
    call->text = kMoment;
    call->args = {date};
    return call;
}

bool Typer::unify(ExprPtr& left, ExprPtr& right, const Syntax& node) {
    if (left->type == right->type) return true;
    if (is_number(left->type) && is_number(right->type)) return true;
    if (left->open != right->open) {
        ExprPtr& unknown = left->open ? left : right;
        unknown = as(unknown, left->open ? right->type : left->type, node);
        return true;
    }
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

ExprPtr Typer::as(const ExprPtr& expr, ExprType type, const Syntax& node) {
    if (expr->type == type) return expr;
    if (is_number(expr->type) && type == ExprType::decimal) return expr;
    if (expr->type == ExprType::date && type == ExprType::timestamp) return moment(expr);
    if (expr->open) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        out->open = false;
        return out;
    }
    const bool text = is_literal(*expr) && expr->type == ExprType::text;
    if (text && can_be_written_as(expr->text, type)) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        return out;
    }
    return fail(node, "TYPE_MISMATCH",
                in_words(type) + " is needed here, but this is " +
                    (text ? "the text '" + expr->text + "'" : in_words(expr->type)) + ".");
}

bool Typer::known_value(const ExprPtr& literal, const std::vector<std::string>& values,
                        const Syntax& node) {
    if (values.empty() || literal->type != ExprType::text) return true;
    if (std::find(values.begin(), values.end(), literal->text) != values.end()) return true;
    if (findings_.doubts(literal->text)) return true;
    const std::string near = diag::nearest(literal->text, values);
    std::string all;
    for (const std::string& value : values) all += (all.empty() ? "" : ", ") + value;
    fail(node, "UNKNOWN_VALUE", "'" + literal->text + "' is never the value of this.",
         near.empty() ? "it is one of " + all : "did you mean '" + near + "'?");
    return false;
}

std::vector<std::string> Typer::values_of(const Expr& expr) const {
    return known_values(expr, scope_.model);
}

std::vector<std::string> known_values(const Expr& expr, const Model& model) {
    if (expr.kind != ExprKind::path) return {};
    std::vector<std::string> out;
    if (expr.root == Root::user && expr.text == "persona") {
        for (const Persona& persona : model.personas) out.push_back(persona.id);
        return out;
    }
    if (expr.steps.empty()) return {};
    const Step& last = expr.steps.back();
    if (last.kind != Step::Kind::field || !last.builtin.empty()) return {};
    return model.entities[last.entity].fields[last.field].values;
}

}  // namespace svc::model
