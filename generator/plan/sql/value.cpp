// Values of expressions as SQL.
#include <algorithm>

#include "model/expr/typer.hpp"
#include "plan/names.hpp"
#include "plan/sql/call.hpp"
#include "plan/sql/expr.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprKind;
using model::ExprType;

bool is_number(const Expr& expr) {
    return expr.type == ExprType::integer || expr.type == ExprType::decimal;
}

// Its SQL has the type numeric already; days between dates are an integer.
bool is_reckoned(const Expr& expr) {
    switch (expr.kind) {
        case ExprKind::negate:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return is_number(*expr.args[0]);
        case ExprKind::literal:
        case ExprKind::list:
        case ExprKind::path:
        case ExprKind::not_:
        case ExprKind::and_:
        case ExprKind::or_:
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
        case ExprKind::in:
        case ExprKind::call:
            return false;
    }
    return false;
}

// A day is its midnight where the app lives; a time without an offset is one of UTC, as everywhere.
std::string moment(const std::string& text, const Scope& scope) {
    if (text.size() == 10) {
        return "(timestamp " + literal(text) + " at time zone " +
               literal(scope.model.app.timezone) + ")";
    }
    const bool has_offset = text.find_first_of("Zz+-", 10) != std::string::npos;
    return "timestamptz " + literal(has_offset ? text : text + "Z");
}

std::string literal_value(const Expr& expr, const Scope& scope) {
    switch (expr.type) {
        case ExprType::null:
            return "null";
        case ExprType::boolean:
        case ExprType::integer:
        case ExprType::decimal:
            return expr.text;
        case ExprType::date:
            return "date " + literal(expr.text);
        case ExprType::time:
            return "time " + literal(expr.text);
        case ExprType::timestamp:
            return moment(expr.text, scope);
        case ExprType::uuid:
            return "uuid " + literal(expr.text);
        case ExprType::duration:
            return interval(expr.text);
        case ExprType::text:
        case ExprType::tags:
        case ExprType::json:
        case ExprType::list:
        case ExprType::rows:
            return literal(expr.text);
    }
    return literal(expr.text);
}

std::string of_numbers(const Expr& expr, const Scope& scope) {
    const std::string left =
        sql_numeric(*expr.args[0], scope);  // in this order: aliases are numbered
    const std::string right = sql_value(*expr.args[1], scope);
    if (expr.kind == ExprKind::add) return "(" + left + " + " + right + ")";
    if (expr.kind == ExprKind::sub) return "(" + left + " - " + right + ")";
    if (expr.kind == ExprKind::mul) return "(" + left + " * " + right + ")";
    const std::string divisor = "nullif(" + right + ", 0)";  // by zero: null, not an error
    if (expr.type == ExprType::integer) return "div(" + left + ", " + divisor + ")";
    return "(" + left + " / " + divisor + ")";
}

// A date and a whole number are a date, whatever the clocks do.
std::string moved_day(const Expr& expr, const Scope& scope) {
    const bool first = expr.args[0]->type == ExprType::date;
    const std::int64_t written = model::whole_days(*expr.args[first ? 1 : 0]).value_or(0);
    const std::int64_t days = expr.kind == ExprKind::sub ? -written : written;
    return "(" + sql_value(*expr.args[first ? 0 : 1], scope) + (days < 0 ? " - " : " + ") +
           std::to_string(days < 0 ? -days : days) + ")";
}

// Days are added on the calendar of the app's timezone, to moments exact time is added: neither
// depends on the connection's timezone.
std::string of_times(const Expr& expr, const Scope& scope) {
    if (expr.type == ExprType::date) return moved_day(expr, scope);
    const std::string left = sql_value(*expr.args[0], scope);
    const std::string right = sql_value(*expr.args[1], scope);
    const std::string sum = left + (expr.kind == ExprKind::add ? " + " : " - ") + right;
    if (expr.type != ExprType::timestamp) return "(" + sum + ")";
    const auto is_day = [](const model::ExprPtr& arg) { return arg->type == ExprType::date; };
    if (std::any_of(expr.args.begin(), expr.args.end(), is_day)) {
        return "((" + sum + ") at time zone " + literal(scope.model.app.timezone) + ")";
    }
    const bool left_moves = expr.args[0]->type == ExprType::timestamp;
    const std::string utc = " at time zone 'UTC'";
    return "((" + (left_moves ? "(" + left + utc + ")" : left) +
           (expr.kind == ExprKind::add ? " + " : " - ") +
           (left_moves ? right : "(" + right + utc + ")") + ")" + utc + ")";
}

std::string arithmetic(const Expr& expr, const Scope& scope) {
    const Expr& first = *expr.args[0];
    if (expr.kind == ExprKind::negate) {
        return "(-" + (is_number(first) ? sql_numeric(first, scope) : sql_value(first, scope)) +
               ")";
    }
    if (expr.type == ExprType::text) {
        const std::string left = sql_value(first, scope);
        return "(" + left + " || " + sql_value(*expr.args[1], scope) + ")";
    }
    return is_number(first) ? of_numbers(expr, scope) : of_times(expr, scope);
}

std::string array(const Expr& expr, const Scope& scope) {
    std::string items;
    for (const auto& item : expr.args) {
        items += (items.empty() ? "" : ", ") + sql_value(*item, scope);
    }
    return "array[" + items + "]";
}

}  // namespace

std::string sql_array(const Expr& expr, const Scope& scope) {
    const bool selects = expr.kind == ExprKind::path && expr.steps.size() > 1;
    return sql_value(expr, scope) + (selects ? "::text[]" : "");
}

std::string sql_numeric(const Expr& expr, const Scope& scope) {
    const std::string value = sql_value(expr, scope);
    return expr.type == ExprType::decimal || is_reckoned(expr) ? value : value + "::numeric";
}

std::string sql_value(const Expr& expr, const Scope& scope) {
    switch (expr.kind) {
        case ExprKind::literal:
            return literal_value(expr, scope);
        case ExprKind::list:
            return array(expr, scope);
        case ExprKind::path:
            return path_value(expr, scope);
        case ExprKind::negate:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return arithmetic(expr, scope);
        case ExprKind::call:
            return call_value(expr, scope);
        case ExprKind::not_:
        case ExprKind::and_:
        case ExprKind::or_:
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
        case ExprKind::in:
            break;
    }
    return "coalesce(" + sql_true(expr, scope) + ", false)";
}

}  // namespace svc::plan
