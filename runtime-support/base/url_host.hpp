// The host that an address leads to: the one reading of it, so that who may be called and which
// secret may be sent there is decided about the host that libcurl then calls.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// In lower case, without account and port; IPv6 in its brackets; a dot at its end stays, as another
// host. Empty if the text is no "scheme://host…", or is one that readers could take for two.
std::string host_of(std::string_view url);

// True if the name alone says that the host is this machine. `host` as host_of() gives it.
bool is_loopback_name(std::string_view host);

}  // namespace svc::base
