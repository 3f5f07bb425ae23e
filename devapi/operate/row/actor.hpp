// The identity that a developer's write acts as.
#pragma once

#include <optional>
#include <string>

#include "apps/database/database.hpp"
#include "operate/app_connection.hpp"

namespace svc::devapi {

struct Actor {
    Identity identity;
    std::string url;  // of the role that it writes as
};

// `as`: empty or "admin" acts past row-level security; a persona of the app, or the e-mail address
// of an account, acts under it. None: the app has no such persona and no such account. Blocking.
std::optional<Actor> actor_of(const AppDatabase& database, const std::string& as);

}  // namespace svc::devapi
