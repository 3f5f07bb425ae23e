#pragma once

#include <string_view>

namespace svc::devapi {

// Whether who listens at `address` (host:port, as SVC_LISTEN) is reached from this machine alone.
// Who is may reach what stands beside them.
inline bool is_loopback(std::string_view address) {
    return address.starts_with("127.") || address.starts_with("localhost:") ||
           address.starts_with("[::1]:");
}

}  // namespace svc::devapi
