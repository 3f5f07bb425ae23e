// Addresses of an app server, read: what they name below the runtime API and a preview.
#pragma once

#include <optional>
#include <string_view>

#include "route/router.hpp"

namespace svc::ops {

// The rest of a path after /__svc, where the path is below it.
std::optional<std::string_view> api_path(std::string_view path);
// The paths of the runtime API: those below /__svc, and those that others keep
// (Endpoint::kept_address).
std::optional<std::string_view> runtime_path(std::string_view path, const route::Router& router);
// The rest of a path after /preview/<project>.
std::optional<std::string_view> below_preview(std::string_view path, std::string_view project);
// A path that others keep and that names this project: such a call has no key.
bool is_kept_by_others(std::string_view path, const route::Router& router,
                       std::string_view project);

}  // namespace svc::ops
