#include "plan/sql/call.hpp"

#include <stdexcept>

#include "model/expr/typer.hpp"
#include "plan/access.hpp"
#include "plan/names.hpp"
#include "plan/sql/path.hpp"

namespace svc::plan {
namespace {

using model::Expr;
using model::ExprType;
using model::referred_entity;

// exists, count, sum, min, max, all over a relation: one sub-select.
std::string over_rows(const std::string& name, const Expr& path, const Scope& scope) {
    if (name == "exists") return "exists " + many_select(path, scope, "1");
    if (name == "count") return many_select(path, scope, "count(*)");
    if (name == "sum") return many_select(path, scope, "coalesce(sum($column), 0)");
    if (name == "all") return many_select(path, scope, "coalesce(bool_and($column is true), true)");
    const bool bytes = path.type == ExprType::text && orders_by_bytes(path, scope.model);
    return many_select(path, scope,  // min, max
                       name + "($column" + (bytes ? " collate \"C\")" : ")"));
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

std::string member_of(const Expr& call, const Scope& scope) {
    std::string out = "(" + sql_value(*call.args[0], scope) + " = " + user_value("org", scope);
    std::vector<model::Principal> roles;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
        roles.push_back({model::Principal::Kind::org_role, call.args[i]->text});
    }
    if (!roles.empty()) out += " and " + acts_as(roles, scope.caller);
    return out + ")";
}

// Written out like a policy: it means the same with the owner's rights as with the caller's.
std::string may_do(const Expr& call, const Scope& scope) {
    const Expr& row = *call.args[1];
    const model::Entity& target = scope.model.entities[*referred_entity(scope.model, row)];
    const std::string alias = kAlias + "c" + std::to_string(++scope.aliases);
    Scope outside = scope;
    outside.row = scope.nested;
    Scope inside{scope.model, alias + ".", alias + "."};
    inside.aliases = scope.aliases;
    inside.caller = scope.caller;
    std::string which = "(" + access_predicate(scope.model, target, Operation::read, inside) + ")";
    const std::string& what = call.args[0]->text;
    if (what != "read") {
        const Operation asked = what == "update" ? Operation::update : Operation::remove;
        which += " and (" + access_predicate(scope.model, target, asked, inside) + ")";
    }
    outside.aliases = inside.aliases;
    const std::string id = sql_value(row, outside);
    scope.aliases = outside.aliases;
    return "exists (select 1 from " + rows_of(target) + " " + alias + " where " + alias +
           ".id = " + id + " and " + which + ")";
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
    if (name == "date") return "(" + sql_value(*call.args[0], scope) + in_zone + "::date";
    if (name == model::kMoment) {
        return "(" + sql_value(*call.args[0], scope) + "::timestamp" + in_zone;
    }
    if (name == "duration") return interval(call.args[0]->text);
    if (name == "changed") {
        const std::string after = under(*call.args[0], model::Root::new_, scope);
        const std::string before = under(*call.args[0], model::Root::old_, scope);
        return "(" + after + " is distinct from " + before + ")";
    }
    if (name == "member") return member_of(call, scope);
    if (name == "can") return may_do(call, scope);
    const bool rows = !call.args.empty() && call.args[0]->kind == model::ExprKind::path &&
                      crosses_many(*call.args[0]);
    if (rows) return over_rows(name, *call.args[0], scope);
    if (name == "count") {  // of a list in a function or workflow
        const std::string list = sql_value(*call.args[0], scope);
        return call.args[0]->kind == model::ExprKind::list ? "cardinality(" + list + ")"
                                                           : "svc.flow_count(" + list + ")";
    }
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
