#include <algorithm>
#include <set>
#include <string>

#include "check/lint.hpp"

namespace svc::check {
namespace {

void unreachable_states(const model::Entity& entity, diag::Findings& findings) {
    const model::Lifecycle& lifecycle = *entity.lifecycle;
    std::set<std::string> reached{lifecycle.initial};
    for (bool grown = true; grown;) {
        grown = false;
        for (const model::Transition& move : lifecycle.transitions) {
            const bool possible =
                std::any_of(move.from.begin(), move.from.end(),
                            [&](const std::string& from) { return reached.count(from) > 0; });
            grown = (possible && reached.insert(move.to).second) || grown;
        }
    }
    for (std::size_t i = 0; i < lifecycle.states.size(); ++i) {
        if (reached.count(lifecycle.states[i]) > 0) continue;
        findings.warning("UNREACHABLE_STATE",
                         entity.path + "/lifecycle/states/" + std::to_string(i),
                         "No transition leads from \"" + lifecycle.initial + "\" to \"" +
                             lifecycle.states[i] + "\".",
                         "add a transition to it, or take the state out");
    }
}

Formula in_states(const model::Entity& entity, const model::Transition& move) {
    const std::string& field = entity.fields[entity.lifecycle->field].name;
    Formula out = always(false);
    for (const std::string& state : move.from) out = either(out, equals(field, state));
    return out;
}

// Somebody may read a row in one of the states, with the condition fulfilled,
// and make it.
bool is_made(const Lint& lint, const model::Entity& entity, const model::Transition& move) {
    return std::any_of(lint.callers.begin(), lint.callers.end(), [&](const Known& known) {
        const Rows rows(lint.model, known);
        if (!rows.is_meant(plan::bits(lint.model, move.by))) return false;
        const Formula ready = both(in_states(entity, move), rows.holds(move.condition, ""));
        return !is_never(both(rows.allowed(entity, plan::Operation::read, ""), ready));
    });
}

void idle_transition(const Lint& lint, const model::Entity& entity, const model::Transition& move) {
    const auto who = plan::bits(lint.model, move.by);
    if (lint_condition(lint, who, move.condition, move.path)) return;
    if (is_made(lint, entity, move)) return;
    lint.findings.warning(
        "TRANSITION_FOR_NOBODY", move.path + "/by",
        move.by.empty() ? "Nobody may make the transition \"" + move.name + "\"."
                        : "Nobody who may make the transition \"" + move.name +
                              "\" may read the row, so nobody can make it.",
        move.by.empty() ? "name principals in \"by\"" : "let one of them read the row");
}

}  // namespace

void lint_lifecycle(const Lint& lint, const model::Entity& entity) {
    if (!entity.lifecycle) return;
    unreachable_states(entity, lint.findings);
    for (const model::Transition& move : entity.lifecycle->transitions) {
        idle_transition(lint, entity, move);
    }
}

}  // namespace svc::check
