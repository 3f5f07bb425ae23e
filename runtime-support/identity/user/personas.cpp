#include "identity/user/personas.hpp"

#include "base/json_text.hpp"

namespace svc::identity {
namespace {

// The object that svc.claim() reads. What is not known has no member.
std::string claims(std::optional<std::string_view> persona, const std::optional<std::string>& org,
                   bool is_admin, std::optional<std::string_view> email,
                   std::string_view org_role = {}) {
    std::string out = R"({"isAdmin":)";
    out += is_admin ? "true" : "false";
    const auto add = [&out](std::string_view key, std::string_view value) {
        out += ',';
        base::append_json(out, key);
        out += ':';
        base::append_json(out, value);
    };
    if (persona) add("persona", *persona);
    if (org) add("org", *org);
    if (email) add("email", *email);
    if (!org_role.empty()) add("orgRole", org_role);
    return out + '}';
}

void act_as(Caller& caller, const Persona* persona) {
    caller.principals = persona ? persona->principals : principal::kSignedIn;
    caller.names = persona ? persona->names : "signed_in";
}

}  // namespace

const Persona* find_persona(const App& app, std::string_view id) {
    for (const Persona& persona : app.personas)
        if (persona.id == id) return &persona;
    return nullptr;
}

bool needs_second_factor(const App& app, std::string_view persona) {
    const Persona* found = find_persona(app, persona);
    return found && found->mfa_required;
}

const Persona* first_signup_persona(const App& app) {
    for (const Persona& persona : app.personas)
        if (persona.signup) return &persona;
    return nullptr;
}

Caller user_caller(const App& app, User user) {
    Caller caller;
    act_as(caller, find_persona(app, user.role));
    caller.claims = claims(user.role, user.org_id, user.is_admin, user.email, user.org_role);
    caller.persona = user.role;
    caller.org_id = user.org_id;
    if (!user.org_role.empty()) add_org_role(app, user.org_role, caller);
    caller.user = std::move(user);
    return caller;
}

Caller persona_caller(const Persona& persona, const std::optional<std::string>& org) {
    Caller caller;
    act_as(caller, &persona);
    caller.claims = claims(persona.id, org, false, std::nullopt);
    caller.persona = persona.id;
    caller.org_id = org;
    return caller;
}

Caller server_caller(const std::optional<std::string>& org) {
    Caller caller;
    caller.principals = principal::kServer;
    caller.names = "server";
    if (org) caller.claims = claims(std::nullopt, org, false, std::nullopt);
    caller.org_id = org;
    return caller;
}

bool add_org_role(const App& app, std::string_view role, Caller& caller) {
    for (std::size_t i = 0; i < app.org_roles.size(); ++i) {
        if (app.org_roles[i] != role) continue;
        caller.principals |= PrincipalSet{1}
                             << (principal::kFirstPersona + app.personas.size() + i);
        caller.names += ",org:" + std::string(role);
        return true;
    }
    return false;
}

}  // namespace svc::identity
