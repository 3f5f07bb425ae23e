// Bytes in addresses, cookies and JSON: RFC 4648's second alphabet, without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::base {

std::string base64url(std::string_view bytes);
inline std::string base64url(const Digest& digest) { return base64url(bytes_of(digest)); }
// Nothing if it is malformed.
std::optional<std::string> base64url_decoded(std::string_view text);

}  // namespace svc::base
