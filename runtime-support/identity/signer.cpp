#include "identity/signer.hpp"

#include <sodium.h>

namespace svc::identity {
namespace {

using Digest = std::array<std::uint8_t, crypto_auth_hmacsha256_BYTES>;

const std::uint8_t* bytes(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

Digest hmac(std::string_view key, std::string_view message) {
    Digest digest;
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes(message), message.size());
    crypto_auth_hmacsha256_final(&state, digest.data());
    return digest;
}

}  // namespace

Signer::Signer(std::string_view secret, std::string_view purpose) : key_(hmac(secret, purpose)) {}

std::string Signer::sign(std::string_view message) const {
    const std::string_view key(reinterpret_cast<const char*>(key_.data()), key_.size());
    const Digest digest = hmac(key, message);
    return {digest.begin(), digest.begin() + kBytes};
}

bool Signer::holds(std::string_view message, std::string_view signature) const {
    const std::string expected = sign(message);
    return signature.size() == kBytes &&
           sodium_memcmp(expected.data(), signature.data(), kBytes) == 0;
}

}  // namespace svc::identity
