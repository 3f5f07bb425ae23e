#include <algorithm>

#include "check/lint/lint.hpp"

namespace svc::check {
namespace {

using model::Entity;
using plan::Operation;

bool writes(const Lint& lint, const Entity& entity, const model::Rule& rule,
            const KnownCaller& known) {
    const Rows rows(lint.model, known);
    const auto may = [&](Operation operation) {
        return !is_never(rows.reached(entity, operation, ""));
    };
    if (rule.on_create && may(Operation::create)) return true;
    if (rule.on_delete && may(Operation::remove)) return true;
    if (!rule.on_update) return false;
    if (may(Operation::update)) return true;
    if (!entity.lifecycle || !may(Operation::read)) return false;
    const auto& moves = entity.lifecycle->transitions;
    return std::any_of(moves.begin(), moves.end(), [&](const model::Transition& move) {
        return rows.is_meant(plan::bits(lint.model, move.by));
    });
}

// The first thing on the way that they may not see; empty: none.
std::string hidden(const Lint& lint, const model::Expr& expr, const KnownCaller& known) {
    for (const model::Step& step : expr.steps) {
        if (step.kind != model::Step::Kind::field) {
            const Entity& target = lint.model.entities[step.target];
            if (is_never(Rows(lint.model, known).allowed(target, Operation::read, ""))) {
                return target.name;
            }
        }
        if (!step.builtin.empty() || step.kind == model::Step::Kind::many) continue;
        const model::Field& field = lint.model.entities[step.entity].fields[step.field];
        if (!may_see(lint.model, field, known)) return field.name;
    }
    for (const model::ExprPtr& arg : expr.args) {
        std::string name = hidden(lint, *arg, known);
        if (!name.empty()) return name;
    }
    return {};
}

// Nothing is shown in its place; the sentence has a gap.
void quotes(const Lint& lint, const Entity& entity, const model::Rule& rule) {
    for (const KnownCaller& known : lint.callers) {
        if (known.caller.kind == Caller::Kind::server || !writes(lint, entity, rule, known))
            continue;
        for (const model::MessagePart& part : rule.message) {
            const std::string name = part.expr ? hidden(lint, *part.expr, known) : "";
            if (name.empty()) continue;
            lint.findings.warning("MESSAGE_QUOTES_HIDDEN_FIELD", rule.path + "/message",
                                  "The message quotes \"" + name + "\", which " +
                                      known.caller.name +
                                      " may not read. The message has a gap for these callers.",
                                  "remove it from the message");
            return;
        }
    }
}

}  // namespace

void lint_rules(const Lint& lint, const Entity& entity) {
    for (const model::Rule& rule : entity.rules) {
        quotes(lint, entity, rule);
        if (!rule.refuse || !is_never(condition(lint.model, rule.refuse, nullptr))) continue;
        lint.findings.warning("RULE_NEVER_FIRES", rule.path + "/refuse",
                              "This rule refuses nothing: its condition is never true.",
                              "correct it, or remove the rule");
    }
}

}  // namespace svc::check
