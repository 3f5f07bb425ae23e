#include "identity/token.hpp"

#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>

#include "base/base64url.hpp"

namespace svc::identity {
namespace {

constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kRandomText = 43;  // of kRandomBytes in base64url without padding

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// Fetching the algorithm anew costs more than hashing a token, so it is done once.
const EVP_MD* sha256_algorithm() {
    static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (!algorithm) throw std::runtime_error("OpenSSL has no SHA-256");
    return algorithm;
}

EVP_MD_CTX* digest_context() {
    thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
    if (!context) throw std::bad_alloc();
    return context.get();
}

void start_sodium() {
    static const int started = sodium_init();
    if (started < 0) throw std::runtime_error("libsodium did not start");
}

constexpr bool base64url_digit(char c) {
    const unsigned letter = (static_cast<unsigned char>(c) | 0x20u) - 'a';  // of either case
    return letter < 26 || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return -1;
}

}  // namespace

std::size_t DigestHash::operator()(const Digest& digest) const noexcept {
    std::size_t hash;
    std::memcpy(&hash, digest.data(), sizeof hash);
    return hash;
}

Digest sha256(std::string_view value) {
    Digest digest;
    EVP_MD_CTX* context = digest_context();
    if (EVP_DigestInit_ex2(context, sha256_algorithm(), nullptr) != 1 ||
        EVP_DigestUpdate(context, value.data(), value.size()) != 1 ||
        EVP_DigestFinal_ex(context, digest.data(), nullptr) != 1)
        throw std::runtime_error("SHA-256 failed");
    return digest;
}

std::string bytea_text(const Digest& digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "\\x";
    text.reserve(2 + 2 * digest.size());
    for (std::uint8_t byte : digest) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

std::optional<Digest> digest_of(std::string_view text) {
    Digest digest;
    if (text.size() != 2 + 2 * digest.size() || !text.starts_with("\\x")) return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const int high = hex_value(text[2 + 2 * i]);
        const int low = hex_value(text[3 + 2 * i]);
        if (high < 0 || low < 0) return std::nullopt;
        digest[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return digest;
}

std::string base64url(const Digest& digest) {
    return base::base64url(
        std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::string random_token(std::string_view prefix) {
    start_sodium();
    std::uint8_t random[kRandomBytes];
    randombytes_buf(random, sizeof random);
    return std::string(prefix) +
           base::base64url(std::string_view(reinterpret_cast<const char*>(random), sizeof random));
}

bool has_token_shape(std::string_view value, std::string_view prefix) {
    if (value.size() != prefix.size() + kRandomText || !value.starts_with(prefix)) return false;
    value.remove_prefix(prefix.size());
    // By a lambda: a pointer to a function would be called for each character.
    return std::all_of(value.begin(), value.end(), [](char c) { return base64url_digit(c); });
}

}  // namespace svc::identity
