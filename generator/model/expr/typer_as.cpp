// Values that are taken as values of another type.
#include <utility>

#include "base/formats.hpp"
#include "model/expr/typer.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

bool can_be_written_as(const std::string& text, ExprType type) {
    switch (type) {
        case ExprType::date:
            return base::is_date(text);
        case ExprType::time:
            return base::is_time(text);
        case ExprType::timestamp:
            return base::is_moment(text);
        case ExprType::uuid:
            return base::is_uuid(text);
        default:
            return false;
    }
}

// The way to convert one type to the other, or to write it.
std::string fix_of(ExprType from, ExprType to) {
    const bool text = from == ExprType::text;
    if (to == ExprType::boolean && text) return "write true or false, without quotes";
    if (to == ExprType::date) {
        if (from == ExprType::timestamp) {
            return "use date(…) for the day of a datetime; a date plus duration('21d') is a date";
        }
        if (text) return "write a date as '2026-01-31'";
    }
    if (to == ExprType::timestamp && text) {
        return "write a datetime as '2026-01-31T10:00:00Z'";
    }
    if (to == ExprType::time && text) return "write a time as '09:30'";
    if (to == ExprType::duration) return "write a duration as duration('2h')";
    if (from == ExprType::duration && is_number(to)) {
        return "subtract one date from the other: the result is in days";
    }
    if (to == ExprType::boolean) return "compare it with a value: … == …";
    if (is_number(to) && text) return "write a number without quotes, or name a number field";
    return "use a value of that type";
}

}  // namespace

ExprPtr Typer::moment(const ExprPtr& date) const {
    if (date->type != ExprType::date) return date;
    if (is_literal(*date)) {
        auto out = std::make_shared<Expr>(*date);
        out->type = ExprType::timestamp;
        return out;
    }
    return made_call(ExprFunction::moment, ExprType::timestamp, {date});
}

ExprPtr Typer::as(const ExprPtr& expr, ExprType type, const Syntax& node) {
    if (expr->type == type) return expr;
    if (is_number(expr->type) && type == ExprType::decimal) return expr;
    if (expr->type == ExprType::date && type == ExprType::timestamp) return moment(expr);
    if (expr->open) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        out->open = false;
        out->taken = true;
        return out;
    }
    if (is_part(*expr) && type == ExprType::uuid) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        return out;
    }
    const bool text = is_literal(*expr) && expr->type == ExprType::text;
    if (text && can_be_written_as(expr->text, type)) {
        auto out = std::make_shared<Expr>(*expr);
        out->type = type;
        return out;
    }
    return fail(node, "TYPE_MISMATCH",
                "expected " + in_words(type) + ", but this is " +
                    (text ? "the string '" + expr->text + "'" : in_words(expr->type)) + ".",
                fix_of(expr->type, type));
}

}  // namespace svc::model
