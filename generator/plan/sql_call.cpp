#include "plan/sql_call.hpp"

#include <stdexcept>

#include "plan/names.hpp"
#include "plan/sql_path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprType;

// exists, count, sum, min, max, all over a relation: one sub-select.
std::string over_rows(const std::string& name, const Expr& path, const Scope& scope) {
    if (name == "exists") return "exists " + many_select(path, scope, "1");
    if (name == "count") return many_select(path, scope, "count(*)");
    if (name == "sum") return many_select(path, scope, "coalesce(sum($column), 0)");
    if (name == "all") return many_select(path, scope, "coalesce(bool_and($column is true), true)");
    return many_select(path, scope, name + "($column)");  // min, max
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

std::string text_call(const Expr& call, const Scope& scope) {
    const std::string& name = call.text;
    const bool tags = call.args[0]->type == ExprType::tags;
    const std::string subject =
        tags ? sql_array(*call.args[0], scope) : sql_value(*call.args[0], scope);
    if (name == "lower" || name == "upper") return name + "(" + subject + ")";
    if (name == "trim") return "btrim(" + subject + ")";
    if (name == "size") return (tags ? "cardinality(" : "char_length(") + subject + ")";
    const std::string other = sql_value(*call.args[1], scope);
    if (name == "contains" && tags) return "(" + other + " = any(" + subject + "))";
    if (name == "contains") return "(strpos(" + subject + ", " + other + ") > 0)";
    if (name == "startsWith") return "starts_with(" + subject + ", " + other + ")";
    if (name == "endsWith")
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
    const std::string& name = call.text;
    if (name == "now") return "now()";
    const std::string in_zone = " at time zone " + literal(scope.model.app.timezone) + ")";
    if (name == "today") return "(now()" + in_zone + "::date";
    if (name == model::kMoment) {
        return "(" + sql_value(*call.args[0], scope) + "::timestamp" + in_zone;
    }
    if (name == "duration") return interval(call.args[0]->text);
    if (name == "changed") {
        const std::string after = under(*call.args[0], model::Root::new_, scope);
        const std::string before = under(*call.args[0], model::Root::old_, scope);
        return "(" + after + " is distinct from " + before + ")";
    }
    const bool rows = !call.args.empty() && call.args[0]->kind == model::ExprKind::path &&
                      crosses_many(*call.args[0]);
    if (rows) return over_rows(name, *call.args[0], scope);
    if (name == "exists") return "(" + sql_value(*call.args[0], scope) + " is not null)";
    if (name == "coalesce") return "coalesce(" + listed(call, scope) + ")";
    if (name == "abs" || name == "round") {
        const std::string digits = call.args.size() > 1 ? ", " + call.args[1]->text : "";
        return name + "(" + sql_numeric(*call.args[0], scope) + digits + ")";
    }
    if (name == "min" || name == "max") {
        return (name == "min" ? "least(" : "greatest(") + listed(call, scope) + ")";
    }
    if (call.args.empty()) throw std::logic_error("expression function without SQL: " + name);
    return text_call(call, scope);
}

}  // namespace svc::plan
