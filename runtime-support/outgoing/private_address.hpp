// Addresses that lead to this machine or its neighbours. Source: the IANA registries of
// special-purpose addresses.
#pragma once

#include <sys/socket.h>

namespace svc::outgoing {

// Anything but a public IPv4 or IPv6 address.
bool is_private(const sockaddr& address);
// The same of an address as text; one that cannot be read is private.
bool is_private_text(const char* address);

}  // namespace svc::outgoing
