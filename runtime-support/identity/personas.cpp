#include "identity/personas.hpp"

#include <nlohmann/json.hpp>

namespace svc::identity {
namespace {

using Json = nlohmann::json;

// The text in the database is valid UTF-8; headers need not be.
std::string text_of(const Json& claims) {
    return claims.dump(-1, ' ', false, Json::error_handler_t::replace);
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

Caller user_caller(const App& app, User user) {
    Caller caller;
    act_as(caller, find_persona(app, user.role));
    Json claims{{"persona", user.role}, {"isAdmin", user.is_admin}, {"email", user.email}};
    if (user.org_id) claims["org"] = *user.org_id;
    caller.claims = text_of(claims);
    caller.user = std::move(user);
    return caller;
}

Caller persona_caller(const Persona& persona, const std::optional<std::string>& org) {
    Caller caller;
    act_as(caller, &persona);
    Json claims{{"persona", persona.id}, {"isAdmin", false}};
    if (org) claims["org"] = *org;
    caller.claims = text_of(claims);
    return caller;
}

Caller server_caller(const std::optional<std::string>& org) {
    Caller caller;
    caller.principals = principal::kServer;
    caller.names = "server";
    if (org) caller.claims = text_of(Json{{"org", *org}});
    return caller;
}

}  // namespace svc::identity
