// Bytes that an answer holds as base64 (RFC 4648, section 4). Of the client's own: that of
// base/crypto.hpp links libsodium.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::cli {

// None if the text is not base64.
std::optional<std::string> base64_bytes(std::string_view text);

}  // namespace svc::cli
