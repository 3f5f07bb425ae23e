// Finds addresses that only this machine can reach.
#pragma once

#include <string_view>

namespace svc::devapi {

// True if `address` (host:port, as SVC_LISTEN) can be reached only from this machine. Its clients
// may then reach other services on the machine.
inline bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address.starts_with("localhost:") ||
           address.starts_with("[::1]:");
}

}  // namespace svc::devapi
