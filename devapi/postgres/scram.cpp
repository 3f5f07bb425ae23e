#include "postgres/scram.hpp"

#include "base/crypto.hpp"
#include "base/sha256.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kSalt = 16;

// The first, and only, round of PBKDF2: of the salt and the block's number.
base::Digest salted(std::string_view password, std::string_view salt) {
    return base::hmac_sha256(password, {salt, std::string_view("\0\0\0\1", 4)});
}

}  // namespace

std::string scram_verifier(const std::string& password) {
    const std::string salt = base::random_bytes(kSalt);
    const base::Digest key = salted(password, salt);
    const auto text = [](const base::Digest& digest) {
        return base::base64(base::bytes_of(digest));
    };
    const auto keyed = [&](std::string_view what) {
        return base::hmac_sha256(base::bytes_of(key), {what});
    };
    const base::Digest stored = base::sha256(base::bytes_of(keyed("Client Key")));
    return "SCRAM-SHA-256$1:" + base::base64(salt) + "$" + text(stored) + ":" +
           text(keyed("Server Key"));
}

}  // namespace svc::devapi
