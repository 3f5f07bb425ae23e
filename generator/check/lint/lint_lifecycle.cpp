#include <algorithm>
#include <set>
#include <string>

#include "check/lint/lint.hpp"

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
                         "add a transition to this state, or remove it");
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
    return std::any_of(lint.callers.begin(), lint.callers.end(), [&](const KnownCaller& known) {
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
        move.by.empty()
            ? "Nobody may make the transition \"" + move.name + "\"."
            : "Nobody who may make the transition \"" + move.name + "\" may read the row.",
        move.by.empty() ? "name principals in \"by\"" : "let one of these callers read the row");
}

// The formula with the tests of one field left out, as if they held.
Formula without(const Formula& formula, const std::string& field) {
    using Kind = Formula::Kind;
    if (formula.kind == Kind::holds || formula.kind == Kind::fails)
        return formula.atom->subject == field ? always(true) : formula;
    if (formula.kind != Kind::all && formula.kind != Kind::any) return formula;
    Formula out = always(formula.kind == Kind::all);
    for (const Formula& part : formula.parts) {
        const Formula rest = without(part, field);
        out = formula.kind == Kind::all ? both(out, rest) : either(out, rest);
    }
    return out;
}

// True if a caller who may change only some rows may make the transition on every row that they
// read. A condition on the state is ignored: it does not say whose row it is.
bool moves_rows_of_others(const Lint& lint, const model::Entity& entity,
                          const model::Transition& move, const KnownCaller& known) {
    const Rows rows(lint.model, known);
    const model::Principal staff{model::Principal::Kind::staff, ""};
    const model::Principal server{model::Principal::Kind::server, ""};
    const bool trusted = rows.is_meant(plan::bits(lint.model, {staff, server}));
    if (trusted || !rows.is_meant(plan::bits(lint.model, move.by))) return false;
    const std::string& state = entity.fields[entity.lifecycle->field].name;
    const Formula theirs = without(rows.allowed(entity, plan::Operation::update, ""), state);
    if (theirs.is_no() || theirs.is_yes()) return false;
    const Formula seen = without(rows.allowed(entity, plan::Operation::read, ""), state);
    return !is_never(seen) && implies(seen, theirs) == false;
}

void open_transition(const Lint& lint, const model::Entity& entity, const model::Transition& move) {
    if (move.condition) return;
    for (const KnownCaller& known : lint.callers) {
        if (!moves_rows_of_others(lint, entity, move, known)) continue;
        lint.findings.warning("TRANSITION_OF_OTHERS_ROWS", move.path,
                              "Callers who may make the transition \"" + move.name +
                                  "\" may make it on every row that they read, also on rows that "
                                  "they may not update.",
                              "add a condition: \"if\": \"user_id == user.id\"");
        return;
    }
}

}  // namespace

void lint_lifecycle(const Lint& lint, const model::Entity& entity) {
    if (!entity.lifecycle) return;
    unreachable_states(entity, lint.findings);
    for (const model::Transition& move : entity.lifecycle->transitions) {
        idle_transition(lint, entity, move);
        open_transition(lint, entity, move);
    }
}

}  // namespace svc::check
