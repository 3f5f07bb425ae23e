// The organisation of a call, and the rights of its caller there.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "identity/result.hpp"

namespace svc::auth::org {

// The roles of an app's organisations are its contract's own; these two mean something to the
// server.
inline constexpr std::string_view kOwner = "owner", kAdmin = "admin";

bool has_role(const App& app, std::string_view role);
identity::Refusal forbidden(std::string message);
// An app without organisations has no such routes.
identity::Result<void> check_enabled(const Call& call);
// The caller's organisation.
identity::Result<std::string> current_org(const Call& call);
// The current organisation, if the caller is an owner or admin of it.
identity::Result<std::string> managed_org(const Call& call);

}  // namespace svc::auth::org
