// Secrets of the project, which svcd wrote into this app's database: svc.secret, sealed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/pool.hpp"
#include "identity/result.hpp"

namespace svc::identity {

// Nothing if the project has none of this name, or it may not be sent to `host`, which is as
// base::host_of() gives it; empty if it was sealed with another key. No `host`: the value itself
// says where it is sent. An empty `host` is refused. `secret`: Settings::secret.
Task<Result<std::optional<std::string>>> project_secret(db::Pool& system, std::string_view secret,
                                                        std::string_view name,
                                                        std::optional<std::string_view> host = {});

}  // namespace svc::identity
