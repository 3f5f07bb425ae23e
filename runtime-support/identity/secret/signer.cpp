#include "identity/secret/signer.hpp"

#include "base/crypto.hpp"
#include "base/sha256.hpp"

namespace svc::identity {

Signer::Signer(std::string_view secret, std::string_view purpose)
    : key_(base::hmac_sha256(secret, {purpose})) {}

std::string Signer::sign(std::string_view message) const {
    const base::Digest digest = base::hmac_sha256(base::bytes_of(key_), {message});
    return std::string(base::bytes_of(digest).substr(0, kBytes));
}

bool Signer::holds(std::string_view message, std::string_view signature) const {
    return base::same_secret(sign(message), signature);
}

}  // namespace svc::identity
