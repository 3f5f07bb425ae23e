#include "plan/sql/call.hpp"

#include <stdexcept>

#include "model/expr/typer.hpp"
#include "plan/names.hpp"
#include "plan/sql/caller_call.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprFunction;
using model::ExprType;

std::string word_of(const Expr& call) { return std::string(base::word(call.function)); }

// exists, count, sum, min, max, all over a relation: one sub-select.
std::string over_rows(const Expr& call, const Scope& scope) {
    const Expr& path = *call.args[0];
    const ExprFunction function = call.function;
    if (function == ExprFunction::exists) return "exists " + many_select(path, scope, "1");
    if (function == ExprFunction::count) return many_select(path, scope, "count(*)");
    if (function == ExprFunction::sum) return many_select(path, scope, "coalesce(sum($column), 0)");
    if (function == ExprFunction::all)
        return many_select(path, scope, "coalesce(bool_and($column is true), true)");
    const bool bytes = path.type == ExprType::text && orders_by_bytes(path, scope.model);
    return many_select(path, scope,  // min, max
                       word_of(call) + "($column" + (bytes ? " collate \"C\")" : ")"));
}

std::string listed(const Expr& call, const Scope& scope) {
    std::string out;
    for (const auto& arg : call.args) {
        out += (out.empty() ? "" : ", ") + sql_value(*arg, scope);
    }
    return out;
}

// The path of changed(x) under another root, as it is stored: every digit counts.
std::string under(const Expr& path, model::Root root, const Scope& scope) {
    Expr other = path;
    other.root = root;
    return stored_value(other, scope);
}

std::string count_of_list(const Expr& list, const Scope& scope) {
    const std::string sql = sql_value(list, scope);
    return list.kind == model::ExprKind::list ? "cardinality(" + sql + ")"
                                              : "svc.flow_count(" + sql + ")";
}

std::string over_values(const Expr& call, const Scope& scope) {
    switch (call.function) {
        case ExprFunction::exists:
            return "(" + sql_value(*call.args[0], scope) + " is not null)";
        case ExprFunction::count:  // of a list in a function or workflow
            return count_of_list(*call.args[0], scope);
        case ExprFunction::min:
            return "least(" + listed(call, scope) + ")";
        case ExprFunction::max:
            return "greatest(" + listed(call, scope) + ")";
        default:
            throw std::logic_error("expression function without SQL: " + word_of(call));
    }
}

std::string rounded(const Expr& call, const Scope& scope) {
    const std::string digits = call.args.size() > 1 ? ", " + call.args[1]->text : "";
    return word_of(call) + "(" + sql_numeric(*call.args[0], scope) + digits + ")";
}

std::string is_changed(const Expr& path, const Scope& scope) {
    const std::string after = under(path, model::Root::new_, scope);
    const std::string before = under(path, model::Root::old_, scope);
    return "(" + after + " is distinct from " + before + ")";
}

std::string text_call(const Expr& call, const Scope& scope) {
    const ExprFunction function = call.function;
    const bool tags = call.args[0]->type == ExprType::tags;
    const std::string subject =
        tags ? sql_array(*call.args[0], scope) : sql_value(*call.args[0], scope);
    if (function == ExprFunction::lower || function == ExprFunction::upper)
        return word_of(call) + "(" + subject + ")";
    if (function == ExprFunction::trim) return "btrim(" + subject + ")";
    if (function == ExprFunction::size)
        return (tags ? "cardinality(" : "char_length(") + subject + ")";
    const std::string other = sql_value(*call.args[1], scope);
    if (function == ExprFunction::contains && tags) return "(" + other + " = any(" + subject + "))";
    if (function == ExprFunction::contains) return "(strpos(" + subject + ", " + other + ") > 0)";
    if (function == ExprFunction::starts_with) return "starts_with(" + subject + ", " + other + ")";
    if (function == ExprFunction::ends_with)
        return "(right(" + subject + ", char_length(" + other + ")) = " + other + ")";
    return "(" + subject + " ~ " + other + ")";  // matches
}

}  // namespace

std::string interval(const std::string& duration) {
    const std::string number = duration.substr(0, duration.size() - 1);
    switch (duration.back()) {
        case 's':
            return "interval '" + number + " seconds'";
        case 'm':
            return "interval '" + number + " minutes'";
        case 'h':
            return "interval '" + number + " hours'";
        default:  // a day of a duration has 24 hours, whatever the clocks do
            return "interval '" + std::to_string(std::stoul(number) * 24) + " hours'";
    }
}

std::string call_value(const Expr& call, const Scope& scope) {
    const std::string in_zone = " at time zone " + literal(scope.model.app.timezone) + ")";
    switch (call.function) {
        case ExprFunction::now:
            return "now()";
        case ExprFunction::today:
            return "(now()" + in_zone + "::date";
        case ExprFunction::date:
            return "(" + sql_value(*call.args[0], scope) + in_zone + "::date";
        case ExprFunction::moment:
            return "(" + sql_value(*call.args[0], scope) + "::timestamp" + in_zone;
        case ExprFunction::duration:
            return interval(call.args[0]->text);
        case ExprFunction::changed:
            return is_changed(*call.args[0], scope);
        case ExprFunction::member:
            return member_of(call, scope);
        case ExprFunction::can:
            return may_do(call, scope);
        case ExprFunction::exists:
        case ExprFunction::count:
        case ExprFunction::sum:
        case ExprFunction::all:
        case ExprFunction::min:
        case ExprFunction::max:
            return model::of_many(*call.args[0]) ? over_rows(call, scope)
                                                 : over_values(call, scope);
        case ExprFunction::coalesce:
            return "coalesce(" + listed(call, scope) + ")";
        case ExprFunction::abs:
        case ExprFunction::round:
            return rounded(call, scope);
        case ExprFunction::lower:
        case ExprFunction::upper:
        case ExprFunction::trim:
        case ExprFunction::size:
        case ExprFunction::starts_with:
        case ExprFunction::ends_with:
        case ExprFunction::contains:
        case ExprFunction::matches:
            break;
    }
    return text_call(call, scope);
}

}  // namespace svc::plan
