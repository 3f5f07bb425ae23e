#include "auth/password/argon2.hpp"

#include <sodium.h>

namespace svc::auth::password {
namespace {

constexpr unsigned long long kPasses = 2;
constexpr std::size_t kMemory = 19 * 1024 * 1024;

// The hash of a random value that nobody kept, at the cost above. A sign-in to an unknown account
// is checked against it.
constexpr char kNobody[] =
    "$argon2id$v=19$m=19456,t=2,p=1$ufejHOJsX0Qw/8PtC5/G2A$k+eM8tH2y351qdifBICB+uj7qCJQGSaUJf/"
    "uRUN+auI";

}  // namespace

std::string make_hash(const std::string& password) {
    if (sodium_init() < 0) return {};
    char text[crypto_pwhash_STRBYTES];
    const int failed = crypto_pwhash_str_alg(text, password.data(), password.size(), kPasses,
                                             kMemory, crypto_pwhash_ALG_ARGON2ID13);
    return failed ? std::string() : std::string(text);
}

bool fits_hash(const std::string& password, const std::string& hash) {
    const char* text = hash.empty() ? kNobody : hash.c_str();
    const bool same = crypto_pwhash_str_verify(text, password.data(), password.size()) == 0;
    return same && !hash.empty();
}

}  // namespace svc::auth::password
