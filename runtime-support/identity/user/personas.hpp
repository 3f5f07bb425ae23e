// The principals in policies of a user, a persona or the bare server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::identity {

// Null if this app has no such persona.
const Persona* find_persona(const App& app, std::string_view id);

// True if accounts of this persona may do nothing without a second factor.
bool needs_second_factor(const App& app, std::string_view persona);

// The persona of an account that names none: the first persona that people sign up as. Null if
// there is none.
const Persona* first_signup_persona(const App& app);

// Each returns a Caller without key and session. A user whose persona this binary does not know
// acts as signed in only.
Caller user_caller(const App& app, User user);
Caller persona_caller(const Persona& persona, const std::optional<std::string>& org);
Caller server_caller(const std::optional<std::string>& org);

// Makes the caller act in a role of their organisation too. False if this app has no such role.
bool add_org_role(const App& app, std::string_view role, Caller& caller);

}  // namespace svc::identity
