// Values and conditions of the oracle, apart from calls.
#include <algorithm>

#include "model/expr/typer.hpp"
#include "plan/names.hpp"
#include "verify/oracle/oracle.hpp"

namespace svc::devapi::verification {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;
using model::Root;
using model::Step;

bool counts(const Expr& expr) {
    return expr.type == ExprType::integer || expr.type == ExprType::decimal;
}

std::string false_for_null(const std::string& sql) { return "coalesce(" + sql + ", false)"; }

const char* sign(ExprKind kind) {
    switch (kind) {
        case ExprKind::lt:
            return " < ";
        case ExprKind::le:
            return " <= ";
        case ExprKind::gt:
            return " > ";
        case ExprKind::ge:
            return " >= ";
        default:
            return " = ";
    }
}

}  // namespace

std::string Oracle::holds(const Expr& expr, const Rows& rows) {
    std::string out;
    switch (expr.kind) {
        case ExprKind::and_:
        case ExprKind::or_:
            for (const auto& arg : expr.args)
                out += (out.empty()                   ? ""
                        : expr.kind == ExprKind::and_ ? " and "
                                                      : " or ") +
                       holds(*arg, rows);
            return "(" + out + ")";
        case ExprKind::not_:
            return "(not " + holds(*expr.args[0], rows) + ")";
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compared(expr, rows);
        case ExprKind::in:
            return among(expr, rows);
        default:
            return false_for_null(value(expr, rows));
    }
}

std::string Oracle::compared(const Expr& expr, const Rows& rows) {
    const bool unequal = expr.kind == ExprKind::ne;
    for (const std::size_t i : {0, 1})
        if ((unequal || expr.kind == ExprKind::eq) && model::is_null_literal(*expr.args[i]))
            return "(" + value(*expr.args[1 - i], rows) + (unequal ? " is not null)" : " is null)");
    const std::string same =
        false_for_null(value(*expr.args[0], rows) + sign(expr.kind) + value(*expr.args[1], rows));
    return unequal ? "(not " + same + ")" : same;
}

std::string Oracle::among(const Expr& expr, const Rows& rows) {
    const std::string needle = value(*expr.args[0], rows);
    const Expr& list = *expr.args[1];
    if (list.kind == ExprKind::list) {
        std::string out;
        for (const auto& item : list.args)
            out +=
                (out.empty() ? "" : " or ") + false_for_null(needle + " = " + value(*item, rows));
        return out.empty() ? "false" : "(" + out + ")";
    }
    if (list.type == ExprType::tags)
        return false_for_null(needle + " = any((" + value(list, rows) + ")::text[])");
    return false_for_null(needle + " in " + path(list, rows, "$"));
}

std::string Oracle::literal(const Expr& expr) const {
    const std::string text = plan::literal(expr.text);
    switch (expr.type) {
        case ExprType::null:
            return "null";
        case ExprType::boolean:
            return expr.text;
        case ExprType::integer:
        case ExprType::decimal:
            return "(" + expr.text + ")::numeric";
        case ExprType::date:
            return text + "::date";
        case ExprType::time:
            return text + "::time";
        case ExprType::uuid:
            return text + "::uuid";
        case ExprType::duration:
            return interval(expr.text);
        case ExprType::timestamp: {
            // A day alone is its midnight here; a time without an offset is one of UTC.
            const bool bare =
                expr.text.size() > 10 && expr.text.find_first_of("Zz+-", 10) == std::string::npos;
            return plan::literal(bare ? expr.text + "Z" : expr.text) + "::timestamptz";
        }
        default:
            return text + "::text";
    }
}

std::string Oracle::column(const Step& step, const std::string& alias) const {
    if (!step.builtin.empty()) return alias + "." + plan::ident(step.builtin);
    const model::Field& field = model_.entities[step.entity].fields[step.field];
    const std::string name = alias + "." + plan::ident(field.name);
    return field.type == model::FieldType::float_ ? name + "::numeric" : name;
}

// Selects `what` of the last row; "$" means its column. For the row itself, "$" alone is the
// column.
std::string Oracle::path(const Expr& expr, const Rows& rows, const std::string& what) {
    if (expr.root == Root::user) return of_caller(expr.attribute);
    if (expr.root == Root::part) return part(expr, rows);
    std::string at = expr.root == Root::new_   ? rows.fresh
                     : expr.root == Root::old_ ? rows.old
                                               : rows.row;
    const Step& last = expr.steps.back();
    if (expr.steps.size() == 1 && last.kind != Step::Kind::many) {
        return last.kind == Step::Kind::ref
                   ? at + "." + plan::ident(model_.entities[last.entity].fields[last.field].name)
                   : column(last, at);
    }
    std::string from, where;
    for (const Step& step : expr.steps) {
        if (step.kind == Step::Kind::field) break;
        const std::string next = fresh_alias();
        const model::Entity& target = model_.entities[step.target];
        from += (from.empty() ? "" : ", ") + plan::table(target.name) + " " + next;
        where += where.empty() ? "" : " and ";
        where +=
            step.kind == Step::Kind::ref
                ? next + ".id = " + column(step, at)
                : next + "." + plan::ident(target.fields[step.field].name) + " = " + at + ".id";
        at = next;
    }
    const std::string found = last.kind == Step::Kind::field ? column(last, at) : at + ".id";
    std::string selected = what;
    for (auto placeholder = selected.find('$'); placeholder != std::string::npos;
         placeholder = selected.find('$', placeholder + found.size()))
        selected.replace(placeholder, 1, found);
    return "(select " + selected + " from " + from + " where " + where + ")";
}

std::string Oracle::reckoned(const Expr& expr, const Rows& rows) {
    std::string left = value(*expr.args[0], rows);
    if (expr.kind == ExprKind::negate) return "(- " + left + ")";
    std::string right = value(*expr.args[1], rows);
    if (expr.type == ExprType::text) return "(" + left + " || " + right + ")";
    if (counts(*expr.args[0])) {
        left += "::numeric";
        right += "::numeric";
        if (expr.kind == ExprKind::mul) return "(" + left + " * " + right + ")";
        if (expr.kind == ExprKind::div)
            return (expr.type == ExprType::integer ? "div(" : "(") + left +
                   (expr.type == ExprType::integer ? ", " : " / ") + "nullif(" + right + ", 0))";
    }
    const std::string out = "(" + left + (expr.kind == ExprKind::add ? " + " : " - ") + right + ")";
    if (expr.type == ExprType::date) return out + "::date";  // the calendar's, at midnight
    // A date and a span of time make a moment of the calendar here.
    return expr.type == ExprType::timestamp ? out + "::timestamptz" : out;
}

std::string Oracle::value(const Expr& expr, const Rows& rows) {
    switch (expr.kind) {
        case ExprKind::literal:
            return literal(expr);
        case ExprKind::path:
            return path(expr, rows, "$");
        case ExprKind::negate:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return reckoned(expr, rows);
        case ExprKind::call:
            return called(expr, rows);
        case ExprKind::list: {
            std::string items;
            for (const auto& item : expr.args)
                items += (items.empty() ? "" : ", ") + value(*item, rows);
            return "array[" + items + "]::text[]";
        }
        default:
            return holds(expr, rows);
    }
}

}  // namespace svc::devapi::verification
