// How many bytes the peer of a TCP connection would take now, by the latest that it said. It
// becomes less while the peer's program leaves bytes unread. Source: tcp(7), TCP_INFO.
#pragma once

#include <cstdint>
#include <optional>

namespace svc::base {

// Nothing: the socket is not one of TCP, or the kernel does not say.
std::optional<std::uint32_t> offered_window(int socket);

}  // namespace svc::base
