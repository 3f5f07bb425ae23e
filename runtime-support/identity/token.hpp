// Secret values that callers show us, and the digests under which we know them. The values
// themselves are never stored or logged.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::identity {

// A digest as PostgreSQL reads a bytea, \x and 64 digits, and back.
std::string bytea_text(const base::Digest& digest);
std::optional<base::Digest> digest_of(std::string_view bytea_text);

// 256 random bits in base64url after this prefix.
std::string random_token(std::string_view prefix);
// False if `value` cannot have come from random_token(prefix).
bool has_token_shape(std::string_view value, std::string_view prefix);

inline constexpr std::string_view kSessionPrefix = "svc_s_";

}  // namespace svc::identity
