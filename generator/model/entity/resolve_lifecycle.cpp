#include <algorithm>
#include <set>

#include "model/expr/typing.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

// A state of the list, or a finding.
std::string state(Work work, const contract::Text& name, const Lifecycle& lifecycle) {
    // A lifecycle without states has its finding already.
    if (!lifecycle.states.empty() && !contains(lifecycle.states, name.text)) {
        work.findings.missing("UNKNOWN_STATE", name.text, name.path,
                              "There is no state \"" + name.text + "\".",
                              did_you_mean(name.text, lifecycle.states,
                                           "the states are " + joined(lifecycle.states)));
    }
    return name.text;
}

std::vector<std::string> states(Work work, const contract::Texts& names,
                                const Lifecycle& lifecycle) {
    std::vector<std::string> out;
    for (const contract::Text& name : names) {
        std::string known = state(work, name, lifecycle);
        if (std::find(out.begin(), out.end(), known) == out.end()) out.push_back(std::move(known));
    }
    return out;
}

void sets(Work work, std::size_t entity, const contract::Transition& in, Transition& out) {
    const ExprScope scope{.model = work.out, .entity = entity};
    for (const auto& [name, text] : in.set) {
        const std::optional<std::size_t> index =
            resolve_own_field(work, entity, {name, contract::name_of(text.path)});
        if (!index) continue;
        const Field& field = work.out.entities[entity].fields[*index];
        if (field.lifecycle || field.computed || field.immutable ||
            field.type == FieldType::sequence) {
            work.findings.error("BAD_LIFECYCLE", text.path,
                                "A transition cannot set \"" + name + "\"" +
                                    (field.immutable ? ", which is immutable." : "."),
                                field.lifecycle   ? "name the new state in \"to\""
                                : field.immutable ? "remove it, or replace \"immutable\" of the "
                                                    "field by a \"write\" list"
                                                  : "remove it");
            continue;
        }
        if (ExprPtr expr = read_value(text, scope, field, work.findings)) {
            out.set.emplace_back(*index, std::move(expr));
        }
    }
}

Transition transition(Work work, std::size_t entity, const contract::Transition& in,
                      const Lifecycle& lifecycle) {
    Transition out;
    out.name = in.name.text;
    out.from = states(work, in.from, lifecycle);
    out.to = state(work, in.to, lifecycle);
    out.path = in.path;
    for (const contract::Text& name : in.by) {
        if (std::optional<Principal> principal = resolve_principal(work, name)) {
            out.by.push_back(std::move(*principal));
        }
    }
    const ExprScope scope{.model = work.out, .entity = entity};
    if (in.condition) out.condition = read_condition(*in.condition, scope, work.findings);
    out.refusal = in.refusal ? in.refusal->text
                             : "This " + words(work.out.entities[entity].name) +
                                   " cannot move to \"" + out.to + "\" now.";
    sets(work, entity, in, out);
    return out;
}

void check_transitions(Work work, const contract::Lifecycle& in, const Lifecycle& lifecycle) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < lifecycle.transitions.size(); ++i) {
        const Transition& transition = lifecycle.transitions[i];
        if (!names.insert(transition.name).second) {
            work.findings.error("NAME_TAKEN", in.transitions[i].name.path,
                                "The name \"" + transition.name + "\" is already used.",
                                "choose another name");
        }
        if (transition.from.empty()) {
            work.findings.missing(
                "BAD_LIFECYCLE", contract::child(in.transitions[i].path, "from"),
                in.transitions[i].path,
                "The transition \"" + transition.name + "\" has no state in \"from\".",
                "add the states in which it is allowed");
        }
        for (const std::string& from : transition.from) {
            const auto& finals = lifecycle.final_states;
            if (std::find(finals.begin(), finals.end(), from) == finals.end()) continue;
            work.findings.error(
                "BAD_LIFECYCLE", in.transitions[i].path,
                "\"" + from + "\" is a final state, but \"" + transition.name + "\" leaves it.",
                "remove the state from \"final\" or from \"from\"");
        }
    }
}

void check_states(Work work, const contract::Lifecycle& in) {
    std::set<std::string> seen;
    for (const contract::Text& name : in.states) {
        if (name.text.empty() || name.text.size() > 63 || !seen.insert(name.text).second) {
            work.findings.error("BAD_LIFECYCLE", name.path,
                                "A state must have 1 to 63 bytes, and be listed once.");
        }
    }
    if (in.states.empty()) {
        work.findings.missing("BAD_LIFECYCLE", contract::child(in.path, "states"), in.path,
                              "This lifecycle has no states.", "add \"states\": [\"…\"]");
    }
}

}  // namespace

void resolve_lifecycles(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        if (!work.in.entities[e].lifecycle) continue;
        const contract::Lifecycle& in = *work.in.entities[e].lifecycle;
        Lifecycle& out = *work.out.entities[e].lifecycle;
        check_states(work, in);
        for (const contract::Text& name : in.states) out.states.push_back(name.text);
        out.initial = state(work, in.initial, out);
        out.final_states = states(work, in.final_states, out);
        for (const contract::Transition& move : in.transitions) {
            out.transitions.push_back(transition(work, e, move, out));
        }
        check_transitions(work, in, out);
    }
}

}  // namespace svc::model
