// Secrets of the project, as svcd told this app's servers: svc.secret, sealed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/pool.hpp"
#include "identity/result.hpp"

namespace svc::identity {

// Nothing where the project has none of this name; empty where it was sealed with another key.
// `secret`: Settings::secret.
Task<Result<std::optional<std::string>>> project_secret(db::Pool& system, std::string_view secret,
                                                        std::string_view name);

}  // namespace svc::identity
