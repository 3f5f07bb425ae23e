// Text inside of addresses.
#pragma once

#include <string>
#include <string_view>

namespace svc::auth {

// True if a browser that is sent to `place` stays with the app: a path of it, or an address
// below its origin.
bool stays_with(std::string_view origin, std::string_view place);

}  // namespace svc::auth
