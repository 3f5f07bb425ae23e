// Hosts that requests are for.
#pragma once

#include <string_view>

namespace svc::http {

// An address instead of a name: of IPv4, or of IPv6 in its brackets.
bool is_address(std::string_view host);

}  // namespace svc::http
