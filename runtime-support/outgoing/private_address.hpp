// Addresses that lead to this machine or its neighbours. Source: the IANA registries of
// special-purpose addresses.
#pragma once

#include <sys/socket.h>

namespace svc::outgoing {

// Anything but a public IPv4 or IPv6 address.
bool is_private(const sockaddr& address);

}  // namespace svc::outgoing
