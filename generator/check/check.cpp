#include "check/check.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "check/flows.hpp"
#include "check/principals.hpp"

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

void idle_transitions(const model::Model& model, const model::Entity& entity,
                      diag::Findings& findings) {
    for (const model::Transition& move : entity.lifecycle->transitions) {
        const bool anyone =
            std::any_of(move.by.begin(), move.by.end(),
                        [&](const model::Principal& by) { return may_read(model, entity, by); });
        if (anyone) continue;
        findings.warning(
            "TRANSITION_FOR_NOBODY", move.path + "/by",
            move.by.empty() ? "Nobody may make the transition \"" + move.name + "\"."
                            : "Nobody who may make the transition \"" + move.name +
                                  "\" may read the row, so nobody can make it.",
            move.by.empty() ? "name principals in \"by\"" : "let one of them read the row");
    }
}

void fields_nobody_fills(const model::Entity& entity, diag::Findings& findings) {
    for (const model::Field& field : entity.fields) {
        const bool left_to_server = field.required && field.write && field.write->empty() &&
                                    field.default_value.kind == model::Default::Kind::none &&
                                    !field.computed && !field.lifecycle &&
                                    field.type != model::FieldType::sequence;
        if (!left_to_server) continue;
        findings.warning("REQUIRED_BUT_NOT_WRITABLE", field.path + "/write",
                         "\"" + field.name +
                             "\" is required and no persona may send it, so only the server can "
                             "make rows of \"" +
                             entity.name + "\".",
                         "give it a default, or let somebody write it");
    }
}

void blind_personas(const model::Model& model, diag::Findings& findings) {
    if (model.entities.empty()) return;
    for (std::size_t i = 0; i < model.personas.size(); ++i) {
        const model::Persona& persona = model.personas[i];
        const bool sees = std::any_of(
            model.entities.begin(), model.entities.end(),
            [&](const model::Entity& entity) { return may_read(model, entity, persona); });
        if (sees) continue;
        findings.warning("PERSONA_SEES_NOTHING", "/personas/" + std::to_string(i),
                         "\"" + persona.id + "\" may read no entity at all.",
                         "grant it \"read\" somewhere, or take the persona out");
    }
}

}  // namespace

diag::Findings check(const model::Model& model) {
    diag::Findings findings;
    for (const model::Entity& entity : model.entities) {
        fields_nobody_fills(entity, findings);
        if (!entity.lifecycle) continue;
        unreachable_states(entity, findings);
        idle_transitions(model, entity, findings);
    }
    blind_personas(model, findings);
    check_flows(model, findings);
    return findings;
}

}  // namespace svc::check
