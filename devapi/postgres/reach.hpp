// Whether a host stands on the public network.
#pragma once

#include <optional>
#include <string>

namespace svc::devapi {

// An address of the host, where every one of its addresses is public; looks the name up. None
// otherwise.
std::optional<std::string> public_address(const std::string& host);

}  // namespace svc::devapi
