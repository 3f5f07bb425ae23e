#include "postgres/scram.hpp"

#include "hash/sha256.hpp"
#include "platform/crypto.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kSalt = 16;

// The first, and only, round of PBKDF2: of the salt and the block's number.
std::string salted(const std::string& password, const std::string& salt) {
    return hmac_sha256(password, salt + std::string("\0\0\0\1", 4));
}

}  // namespace

std::string scram_verifier(const std::string& password) {
    const std::string salt = random_bytes(kSalt);
    const std::string key = salted(password, salt);
    const std::string stored = unhex(hash::sha256(hmac_sha256(key, "Client Key")));
    return "SCRAM-SHA-256$1:" + base64(salt) + "$" + base64(stored) + ":" +
           base64(hmac_sha256(key, "Server Key"));
}

}  // namespace svc::devapi
