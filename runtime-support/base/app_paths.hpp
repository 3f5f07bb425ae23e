// Where an app's addresses have what is not a page.
#pragma once

#include <string_view>

namespace svc::base {

// The runtime API: this path, and what is below it.
inline constexpr std::string_view kApiPath = "/__svc";
// A preview by path: the project's id follows, then the paths of the app.
inline constexpr std::string_view kPreviewPath = "/preview/";
// A webhook: the project's id follows, then the webhook's name. Also below the runtime API.
inline constexpr std::string_view kHooksPath = "/hooks/";

}  // namespace svc::base
