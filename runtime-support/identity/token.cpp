#include "identity/token.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"

namespace svc::identity {
namespace {

constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kRandomText = 43;  // of kRandomBytes in base64url without padding

constexpr bool base64url_digit(char c) {
    const unsigned letter = (static_cast<unsigned char>(c) | 0x20u) - 'a';  // of either case
    return letter < 26 || base::is_digit(c) || c == '-' || c == '_';
}

}  // namespace

std::string bytea_text(const base::Digest& digest) {
    return "\\x" + base::hex(base::bytes_of(digest));
}

std::optional<base::Digest> digest_of(std::string_view text) {
    base::Digest digest;
    if (text.size() != 2 + 2 * digest.size() || !text.starts_with("\\x")) return std::nullopt;
    const auto bytes = base::unhex(text.substr(2));
    if (!bytes) return std::nullopt;
    std::ranges::copy(*bytes, digest.begin());
    return digest;
}

std::string random_token(std::string_view prefix) {
    return std::string(prefix) + base::base64url(base::random_bytes(kRandomBytes));
}

bool has_token_shape(std::string_view value, std::string_view prefix) {
    if (value.size() != prefix.size() + kRandomText || !value.starts_with(prefix)) return false;
    value.remove_prefix(prefix.size());
    // A lambda, because the compiler would not inline a pointer to a function.
    return std::all_of(value.begin(), value.end(), [](char c) { return base64url_digit(c); });
}

}  // namespace svc::identity
