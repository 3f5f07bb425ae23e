#include "base/sha256.hpp"

#include <openssl/evp.h>
#include <sodium.h>

#include <cstring>
#include <new>
#include <stdexcept>

#include "base/hex.hpp"

namespace svc::base {
namespace {

// Fetching the algorithm anew costs more than hashing a token, so it is done once.
const EVP_MD* sha256_algorithm() {
    static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (!algorithm) throw std::runtime_error("OpenSSL has no SHA-256");
    return algorithm;
}

void need(int result) {
    if (result != 1) throw std::runtime_error("SHA-256 failed");
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::size_t DigestHash::operator()(const Digest& digest) const noexcept {
    std::size_t hash;
    std::memcpy(&hash, digest.data(), sizeof hash);
    return hash;
}

std::string_view bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

void Sha256::Free::operator()(void* context) const {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_) throw std::bad_alloc();
    begin();
}

void Sha256::begin() {
    need(EVP_DigestInit_ex2(static_cast<EVP_MD_CTX*>(context_.get()), sha256_algorithm(), nullptr));
}

Sha256& Sha256::add(std::string_view piece) {
    need(EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_.get()), piece.data(), piece.size()));
    return *this;
}

Digest Sha256::end() {
    Digest digest;
    need(EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_.get()), digest.data(), nullptr));
    return digest;
}

Digest sha256(std::string_view text) {
    // A context costs more to make than a token to hash.
    thread_local Sha256 hash;
    hash.begin();
    return hash.add(text).end();
}

std::string sha256_hex(std::string_view text) { return hex(bytes_of(sha256(text))); }

std::string sha256_hex_of(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view part : parts) {
        all += std::to_string(part.size());
        all += ':';
        all += part;
    }
    return sha256_hex(all);
}

Digest hmac_sha256(std::string_view key, std::initializer_list<std::string_view> parts) {
    Digest digest;
    static_assert(digest.size() == crypto_auth_hmacsha256_BYTES);
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    for (const std::string_view part : parts) {
        crypto_auth_hmacsha256_update(&state, bytes_of(part), part.size());
    }
    crypto_auth_hmacsha256_final(&state, digest.data());
    return digest;
}

}  // namespace svc::base
