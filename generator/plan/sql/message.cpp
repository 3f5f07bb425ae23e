// Texts with placeholders as SQL: messages of refusals, which show only what their reader may read.
#include "plan/names.hpp"
#include "plan/principals.hpp"
#include "plan/sql/context_path.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {
namespace {

// The tests that a reader must pass to be shown every field of the expression; empty: none.
std::string readers(const model::Expr& expr, const Scope& scope) {
    std::string out;
    const auto add = [&out](const std::string& test) {
        if (!test.empty()) out += (out.empty() ? "" : " and ") + test;
    };
    for (const model::Step& step : expr.steps) {
        if (!step.builtin.empty() || step.kind == model::Step::Kind::many) continue;
        const model::Field& field = scope.model.entities[step.entity].fields[step.field];
        if (!field.read) continue;
        std::vector<model::Principal> who = {{model::Principal::Kind::server, ""}};
        for (const std::string& id : *field.read) {
            who.push_back({model::Principal::Kind::persona, id});
        }
        add(acts_as(who));
    }
    for (const auto& arg : expr.args) add(readers(*arg, scope));
    return out;
}

// In a function or workflow: JSON as its text, a moment as the data API prints it.
std::string in_flow(const model::Expr& expr, const std::string& value) {
    if (expr.type == model::ExprType::json) return "(" + value + ") #>> '{}'";
    if (expr.type == model::ExprType::timestamp) return "svc.moment(" + value + ")";
    return cast_to(value, "text");
}

std::string shown(const model::Expr& expr, const Scope& scope) {
    const std::string value = sql_value(expr, scope);
    const std::string text =
        scope.context == Scope::Context::none ? cast_to(value, "text") : in_flow(expr, value);
    const std::string who = scope.readable_only ? readers(expr, scope) : "";
    return who.empty() ? text : "case when " + who + " then " + text + " end";
}

}  // namespace

std::string sql_message(const std::vector<model::MessagePart>& parts, const Scope& scope) {
    std::string out;
    for (const model::MessagePart& part : parts) {
        out += out.empty() ? "" : " || ";
        out += part.expr ? "coalesce(" + shown(*part.expr, scope) + ", '')" : literal(part.text);
    }
    return out.empty() ? literal("") : out;
}

}  // namespace svc::plan
