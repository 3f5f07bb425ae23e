#include <algorithm>

#include "model/expr/other_languages.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

const contract::Persona* find(const contract::Contract& contract, const std::string& id) {
    for (const contract::Persona& persona : contract.personas) {
        if (persona.id.text == id) return &persona;
    }
    return nullptr;
}

// Itself, then what it extends, depth first, each once; a cycle just ends.
void closure(const contract::Contract& contract, const std::string& id,
             std::vector<std::string>& out) {
    if (std::find(out.begin(), out.end(), id) != out.end()) return;
    out.push_back(id);
    if (const contract::Persona* persona = find(contract, id)) {
        for (const contract::Text& base : persona->extends) closure(contract, base.text, out);
    }
}

bool reaches(const contract::Contract& contract, const std::string& from, const std::string& to) {
    std::vector<std::string> all;
    closure(contract, from, all);
    return std::find(all.begin(), all.end(), to) != all.end();
}

void check_extends(Work work, const contract::Persona& persona) {
    for (const contract::Text& base : persona.extends) {
        if (find(work.in, base.text) == nullptr) {
            std::vector<std::string> ids;
            for (const contract::Persona& other : work.in.personas) ids.push_back(other.id.text);
            work.findings.missing("UNKNOWN_PERSONA", base.text, base.path,
                                  "There is no persona \"" + base.text + "\".",
                                  did_you_mean(base.text, ids, "the personas are " + joined(ids)));
        } else if (reaches(work.in, base.text, persona.id.text)) {
            work.findings.error(
                "PERSONA_CYCLE", base.path,
                "\"" + persona.id.text + "\" extends itself through \"" + base.text + "\".",
                "remove one of them from \"extends\"");
        }
    }
}

}  // namespace

void resolve_personas(Work work) {
    NameTable names(NameKind::persona, work.findings);
    bool any_says = false;
    for (const contract::Persona& in : work.in.personas) {
        names.add(in.id);
        check_extends(work, in);
        Persona out;
        out.id = in.id.text;
        out.label = in.label.text.empty() ? words(in.id.text) : in.label.text;
        out.kind = in.kind.text == "staff" ? PersonaKind::staff : PersonaKind::consumer;
        out.signup = in.signup.value_or(false);
        out.mfa_required = in.mfa_required;
        any_says = any_says || out.signup;
        closure(work.in, out.id, out.acts_as);
        work.out.personas.push_back(std::move(out));
    }
    if (any_says) return;
    for (std::size_t i = 0; i < work.out.personas.size(); ++i) {
        Persona& persona = work.out.personas[i];
        if (persona.kind != PersonaKind::consumer) continue;
        // Nobody signs up as a persona with "signup": false.
        persona.signup = work.in.personas[i].signup.value_or(true);
        break;
    }
}

std::vector<std::string> persona_list(Work work, const contract::Texts& names) {
    std::vector<std::string> out;
    const std::vector<std::string> known = persona_names(work.out);
    for (const contract::Text& name : names) {
        if (std::find(known.begin(), known.end(), name.text) == known.end()) {
            work.findings.missing(
                "UNKNOWN_PERSONA", name.text, name.path,
                "There is no persona \"" + name.text + "\".",
                did_you_mean(name.text, known, "the personas are " + joined(known)));
        } else if (std::find(out.begin(), out.end(), name.text) == out.end()) {
            out.push_back(name.text);
        }
    }
    return out;
}

std::optional<Principal> resolve_principal(Work work, const contract::Text& name) {
    using Kind = Principal::Kind;
    if (name.text == "*") return Principal{Kind::any, ""};
    if (name.text == "guest") return Principal{Kind::guest, ""};
    if (name.text == "signed_in") return Principal{Kind::signed_in, ""};
    if (name.text == "consumer") return Principal{Kind::consumer, ""};
    if (name.text == "staff") return Principal{Kind::staff, ""};
    if (name.text == "server") return Principal{Kind::server, ""};
    std::vector<std::string> known = persona_names(work.out);
    if (std::find(known.begin(), known.end(), name.text) != known.end()) {
        return Principal{Kind::persona, name.text};
    }
    std::string theirs = instead_of_principal(name.text);
    for (const std::string& role : work.out.org_roles) {
        if (name.text == "org:" + role) return Principal{Kind::org_role, role};
        if (name.text == role) theirs = "write \"org:" + role + "\"";
        known.push_back("org:" + role);
    }
    for (const char* fixed : {"staff", "consumer", "signed_in", "guest"}) known.emplace_back(fixed);
    // Suggestions leave out `server`: an author who follows the suggestion would give a server key
    // more than the app's own callers have.
    const std::vector<std::string> guesses = known;
    known.emplace_back("server");
    const bool orgs_off = name.text.starts_with("org:") && work.out.org_roles.empty();
    work.findings.missing(
        "UNKNOWN_PRINCIPAL", name.text, name.path, "There is no principal \"" + name.text + "\".",
        orgs_off ? "set orgs.enabled, and add the role to orgs.roles"
        : !theirs.empty()
            ? theirs
            : did_you_mean(name.text, guesses, "the principals are " + joined(known) + ", *"));
    return std::nullopt;
}

}  // namespace svc::model
