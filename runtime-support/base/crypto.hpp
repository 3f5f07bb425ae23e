// Randomness, derived keys and sealed text. Thin over libsodium.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace svc::base {

std::string random_bytes(std::size_t count);
std::string base64(std::string_view bytes);
// Reads base64 with or without its padding. Nothing if the text is malformed.
std::optional<std::string> base64_decoded(std::string_view text);
bool same_secret(std::string_view left, std::string_view right);  // in constant time

// A key for one purpose, made from the master key; 32 bytes.
std::string derive_key(const std::string& master, std::string_view purpose);

// Authenticated encryption with a key of 32 bytes (XChaCha20-Poly1305, nonce in front). Text that
// was sealed under one context cannot be unsealed under another. Used for the platform's tables:
// the context is the row that a value belongs to, and the id of the key is a column.
// identity/secret/sealer.hpp seals what apps store, and explains why there are two.
std::string seal(const std::string& key, std::string_view context, std::string_view text);
// Nothing if the key, the context or the text differs from that of seal().
std::optional<std::string> unseal(const std::string& key, std::string_view context,
                                  std::string_view sealed);

}  // namespace svc::base
