#include "check/formula/condition.hpp"

#include <utility>

#include "model/expr/typer.hpp"

namespace svc::check {
namespace {

using model::CallerAttribute;
using model::Expr;
using model::ExprKind;
using model::ExprPtr;
using model::ExprType;
using Is = Atom::Is;

bool is_boolean_literal(const Expr& expr, bool value) {
    return expr.kind == ExprKind::literal && expr.type == ExprType::boolean &&
           (expr.text == "true") == value;
}

Is comparison(ExprKind kind) {
    switch (kind) {
        case ExprKind::eq:
        case ExprKind::ne:
            return Is::equal;
        case ExprKind::lt:
            return Is::less;
        case ExprKind::le:
            return Is::less_equal;
        case ExprKind::gt:
            return Is::greater;
        case ExprKind::ge:
            return Is::greater_equal;
        default:
            return Is::opaque;
    }
}

// a < b read from the right: b > a.
Is turned(Is is) {
    switch (is) {
        case Is::less:
            return Is::greater;
        case Is::less_equal:
            return Is::greater_equal;
        case Is::greater:
            return Is::less;
        case Is::greater_equal:
            return Is::less_equal;
        default:
            return is;
    }
}

const char* sign(Is is) {
    switch (is) {
        case Is::less:
            return " < ";
        case Is::less_equal:
            return " <= ";
        case Is::greater:
            return " > ";
        case Is::greater_equal:
            return " >= ";
        default:
            return " == ";
    }
}

class Reader {
  public:
    Reader(const model::Model& model, const KnownUser* user, const std::string& prefix)
        : model_(model), user_(user), prefix_(prefix) {}

    Formula read(const Expr& expr) const;

  private:
    // An operand that the caller's kind already decides.
    enum class Known { no, null, value };
    Known known(const Expr& expr, std::string& value) const;
    bool is_known_null(const Expr& expr) const {
        std::string value;
        return known(expr, value) == Known::null;
    }

    std::string shown(const Expr& expr) const { return expression_text(model_, expr, prefix_); }
    Formula compared(const Expr& left, const Expr& right, Is is) const;
    Formula decided(const Expr& left, const Expr& right, Is is) const;
    Formula against_literal(const Expr& subject, const Expr& literal, Is is) const;
    Formula null_test(const Expr& operand) const;
    Formula member(const Expr& expr) const;
    Formula truth(const Expr& expr) const;
    Formula opaque(const std::string& text) const {
        return test({text, "!(" + text + ")", Is::opaque, {}, {}, {}, false});
    }

    const model::Model& model_;
    const KnownUser* user_;
    const std::string& prefix_;
};

Reader::Known Reader::known(const Expr& expr, std::string& value) const {
    if (expr.kind == ExprKind::literal) {
        value = expr.text;
        return Known::value;
    }
    if (user_ == nullptr || expr.kind != ExprKind::path || expr.root != model::Root::user) {
        return Known::no;
    }
    if (expr.attribute == CallerAttribute::org) return user_->in_org ? Known::no : Known::null;
    if (expr.attribute == CallerAttribute::is_admin) {
        value = "false";
        return user_->account ? Known::no : Known::value;
    }
    if (!user_->account) return Known::null;
    if (expr.attribute != CallerAttribute::persona || !user_->persona) return Known::no;
    value = *user_->persona;
    return Known::value;
}

Formula Reader::null_test(const Expr& operand) const {
    std::string value;
    const Known is = known(operand, value);
    if (is != Known::no) return always(is == Known::null || is_null_literal(operand));
    const std::string subject = shown(operand);
    return test({subject + " == null", subject + " != null", Is::null, subject, {}, {}, false});
}

Formula Reader::against_literal(const Expr& subject, const Expr& literal, Is is) const {
    if (is_boolean_literal(literal, true) && is == Is::equal) return truth(subject);
    const std::string what = shown(subject);
    const std::string value = shown(literal);
    const std::string text = what + sign(is) + value;
    const bool number = literal.type == ExprType::integer || literal.type == ExprType::decimal;
    const std::string opposite = is == Is::equal ? what + " != " + value : "!(" + text + ")";
    return test({text, opposite, is, what, literal.text, value, number});
}

// Both sides are literals, or known of the caller.
Formula Reader::decided(const Expr& left, const Expr& right, Is is) const {
    std::string one;
    std::string other;
    known(left, one);
    known(right, other);
    if (is == Is::equal && left.type == right.type) return always(one == other);
    return opaque(shown(left) + sign(is) + shown(right));
}

Formula Reader::compared(const Expr& left, const Expr& right, Is is) const {
    if (is_known_null(left) || is_known_null(right)) return always(false);
    std::string value;
    const bool left_known = known(left, value) != Known::no;
    const bool right_known = known(right, value) != Known::no;
    if (left_known && right_known) return decided(left, right, is);
    const auto literal = [](const Expr& expr) { return expr.kind == ExprKind::literal; };
    if (literal(right)) return against_literal(left, right, is);
    if (literal(left)) return against_literal(right, left, turned(is));
    std::string one = shown(left);
    std::string other = shown(right);
    // Puts the caller on the right side: user_id == user.id.
    if (is == Is::equal && other < one) std::swap(one, other);
    if (is == Is::equal && one.starts_with("user.")) std::swap(one, other);
    const std::string text = one + sign(is) + other;
    const std::string opposite = is == Is::equal ? one + " != " + other : "!(" + text + ")";
    return test({text, opposite, Is::opaque, {}, {}, {}, false});
}

Formula Reader::member(const Expr& expr) const {
    const Expr& list = *expr.args[1];
    if (is_known_null(*expr.args[0])) return always(false);
    if (list.kind != ExprKind::list) return opaque(shown(expr));
    Formula out = always(false);
    for (const ExprPtr& item : list.args) {
        if (!is_null_literal(*item)) out = either(out, compared(*expr.args[0], *item, Is::equal));
    }
    return out;
}

// A boolean value. `x` and `x == true` are one test; `x == false` is another
// than `!x`.
Formula Reader::truth(const Expr& expr) const {
    std::string value;
    const Known is = known(expr, value);
    if (is != Known::no) return always(is == Known::value && value == "true");
    const std::string text = shown(expr);
    if (expr.kind == ExprKind::path) {
        return test({text, "!" + text, Is::equal, text, "true", "true", false});
    }
    const bool call = expr.kind == ExprKind::call;
    return call ? test({text, "!" + text, Is::opaque, {}, {}, {}, false}) : opaque(text);
}

bool is_one_value(const Expr& expr) {
    for (const model::Step& step : expr.steps) {
        if (step.kind == model::Step::Kind::many) return false;
    }
    return expr.kind == ExprKind::path;
}

Formula Reader::read(const Expr& expr) const {
    switch (expr.kind) {
        case ExprKind::and_:
        case ExprKind::or_: {
            const bool all = expr.kind == ExprKind::and_;
            Formula out = always(all);
            for (const ExprPtr& arg : expr.args) {
                out = all ? both(out, read(*arg)) : either(out, read(*arg));
            }
            return out;
        }
        case ExprKind::not_:
            return opposite(read(*expr.args[0]));
        case ExprKind::eq:
        case ExprKind::ne: {
            const Expr& left = *expr.args[0];
            const Expr& right = *expr.args[1];
            const Formula equal = is_null_literal(left)    ? null_test(right)
                                  : is_null_literal(right) ? null_test(left)
                                                           : compared(left, right, Is::equal);
            return expr.kind == ExprKind::eq ? equal : opposite(equal);
        }
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compared(*expr.args[0], *expr.args[1], comparison(expr.kind));
        case ExprKind::in:
            return member(expr);
        case ExprKind::call:
            if (expr.function == model::ExprFunction::exists && is_one_value(*expr.args[0])) {
                return opposite(null_test(*expr.args[0]));
            }
            return truth(expr);
        default:
            return truth(expr);
    }
}

}  // namespace

Formula equals(const std::string& subject, const std::string& text) {
    const std::string shown = quoted(text);
    return test({subject + " == " + shown, subject + " != " + shown, Is::equal, subject, text,
                 shown, false});
}

Formula condition(const model::Model& model, const ExprPtr& expr, const KnownUser* user,
                  const std::string& prefix) {
    return expr ? Reader(model, user, prefix).read(*expr) : always(true);
}

}  // namespace svc::check
