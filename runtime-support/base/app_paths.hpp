// Where an app's addresses have what is not a page.
#pragma once

#include <string_view>

namespace svc::base {

// The runtime API: this path, and what is below it.
inline constexpr std::string_view kApiPath = "/__svc";
// A preview by path: the project's id follows, then the paths of the app.
inline constexpr std::string_view kPreviewPath = "/preview/";

}  // namespace svc::base
