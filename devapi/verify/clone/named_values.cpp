// The values in the conditions of a contract: rows on both sides of each value are made.
#include <functional>

#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

using model::Expr;
using model::ExprKind;

struct FieldRef {
    std::size_t entity, field;
};

bool reaches(const Expr& expr, const FieldRef& field) {
    if (expr.kind == ExprKind::call && !expr.args.empty()) return reaches(*expr.args[0], field);
    if (expr.kind != ExprKind::path || expr.steps.empty()) return false;
    const model::Step& last = expr.steps.back();
    return last.builtin.empty() && last.kind == model::Step::Kind::field &&
           last.entity == field.entity && last.field == field.field;
}

void take_literals(const Expr& expr, std::vector<std::string>& out) {
    if (expr.kind == ExprKind::literal && expr.type != model::ExprType::null)
        out.push_back(expr.text);
    if (expr.kind == ExprKind::list)
        for (const auto& item : expr.args) take_literals(*item, out);
}

// Beside the field in any operator or call.
void look(const Expr& expr, const FieldRef& field, std::vector<std::string>& out) {
    bool here = false;
    for (const auto& arg : expr.args) here = here || reaches(*arg, field);
    for (const auto& arg : expr.args) {
        if (here) take_literals(*arg, out);
        look(*arg, field, out);
    }
}

using Visit = std::function<void(const Expr&)>;

void each(const std::vector<model::Grant>& grants, const Visit& visit) {
    for (const auto& grant : grants)
        if (grant.condition) visit(*grant.condition);
}

void each_condition(const model::Entity& entity, const Visit& visit) {
    const model::Access& access = entity.access;
    for (const auto* grants :
         {&access.read, &access.create, &access.update, &access.remove, &access.deny.read,
          &access.deny.create, &access.deny.update, &access.deny.remove})
        each(*grants, visit);
    for (const auto& rule : entity.rules) visit(*rule.refuse);
    if (!entity.lifecycle) return;
    for (const auto& transition : entity.lifecycle->transitions)
        if (transition.condition) visit(*transition.condition);
}

bool reads_other_rows(const model::Model& model, const Expr& expr) {
    for (const auto& step : expr.steps)
        if (step.kind != model::Step::Kind::field && step.kind != model::Step::Kind::member &&
            model.entities[step.target].external)
            return true;
    for (const auto& arg : expr.args)
        if (reads_other_rows(model, *arg)) return true;
    return false;
}

}  // namespace

bool can_be_tried(const model::Model& model, const model::Entity& entity) {
    bool here = is_table(entity);
    each_condition(entity,
                   [&](const Expr& expr) { here = here && !reads_other_rows(model, expr); });
    if (!here || !entity.access.same_as) return here;
    return can_be_tried(model, model.entities[entity.fields[*entity.access.same_as].ref_entity]);
}

void warn_of_untried(const model::Model& model, VerifyCheck& out) {
    std::string names;
    for (const auto& entity : model.entities)
        if (!can_be_tried(model, entity)) names += (names.empty() ? "" : ", ") + entity.name;
    if (!names.empty())
        out.warnings.push_back("Not tried, because they read rows of another database: " + names +
                               ".");
}

std::vector<std::string> named_values(const model::Model& model, std::size_t entity,
                                      std::size_t field) {
    std::vector<std::string> out;
    for (const model::Entity& any : model.entities)
        each_condition(any, [&](const Expr& expr) { look(expr, {entity, field}, out); });
    return out;
}

}  // namespace svc::devapi::verification
