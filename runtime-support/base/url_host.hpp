// Finds the host of an address. All checks use this one function, so the host that a check allows
// is the host that libcurl calls.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// In lower case, without account and port; IPv6 in its brackets; a dot at its end stays, as another
// host. Empty if the text is no "scheme://host…", or is one that readers could take for two.
std::string host_of(std::string_view url);

// True if the name alone shows that the host is this machine. `host`: a result of host_of().
bool is_loopback_name(std::string_view host);

}  // namespace svc::base
