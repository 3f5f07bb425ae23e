// Addresses of an app server, read: what they name below the runtime API, a preview and webhooks.
#pragma once

#include <optional>
#include <string_view>

namespace svc::ops {

// The rest of a path behind /__svc, where the path is below it.
std::optional<std::string_view> api_path(std::string_view path);
// The paths of the runtime API: those below /__svc, and the webhooks, whose addresses other
// services have.
std::optional<std::string_view> runtime_path(std::string_view path);
// The rest of a path behind /preview/<project>.
std::optional<std::string_view> below_preview(std::string_view path, std::string_view project);
// A call of a webhook of this project. It has no key: its address says whose it is.
bool is_hook_of(std::string_view path, std::string_view project);

}  // namespace svc::ops
