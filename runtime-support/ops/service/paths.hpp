// Reads the paths of an app server: what they name below the runtime API or a preview.
#pragma once

#include <optional>
#include <string_view>

#include "route/router.hpp"

namespace svc::ops {

// The rest of a path after /__svc, if the path is below it.
std::optional<std::string_view> api_path(std::string_view path);
// The path in the runtime API: below /__svc, or a path that other services store
// (Endpoint::kept_address).
std::optional<std::string_view> runtime_path(std::string_view path, const route::Router& router);
// The rest of a path after /preview/<project>.
std::optional<std::string_view> below_preview(std::string_view path, std::string_view project);
// True for a path that other services store and that names this project. Such a call has no key.
bool is_kept_by_others(std::string_view path, const route::Router& router,
                       std::string_view project);

}  // namespace svc::ops
