// Secret values that callers show us, and the digests under which we know them. The values
// themselves are never stored or logged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace svc::identity {

using Digest = std::array<std::uint8_t, 32>;

// A digest is already spread evenly; its first bytes are hash enough.
struct DigestHash {
    std::size_t operator()(const Digest& digest) const noexcept;
};

Digest sha256(std::string_view value);

// A digest as PostgreSQL reads a bytea, \x and 64 digits, and back.
std::string bytea_text(const Digest& digest);
std::optional<Digest> digest_of(std::string_view bytea_text);

// Without padding.
std::string base64url(const Digest& digest);

// 256 random bits in base64url after this prefix.
std::string random_token(std::string_view prefix);
// False where `value` cannot have come from random_token(prefix).
bool has_token_shape(std::string_view value, std::string_view prefix);

inline constexpr std::string_view kSessionPrefix = "svc_s_";

}  // namespace svc::identity
