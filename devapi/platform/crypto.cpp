#include "platform/crypto.hpp"

#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <sodium.h>

#include <stdexcept>

namespace svc::devapi {
namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct Sodium {
    Sodium() {
        if (sodium_init() < 0) throw std::runtime_error("libsodium could not be started.");
    }
};

void need_sodium() { static const Sodium sodium; }

std::string encoded(std::string_view bytes, int kind) {
    std::string text(sodium_base64_encoded_len(bytes.size(), kind), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), kind);
    text.pop_back();
    return text;
}

}  // namespace

std::string random_bytes(std::size_t count) {
    need_sodium();
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), count);
    return bytes;
}

std::string hex(std::string_view bytes) {
    std::string text(bytes.size() * 2 + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes_of(bytes), bytes.size());
    text.pop_back();
    return text;
}

std::string unhex(std::string_view text) {
    std::string bytes(text.size() / 2, '\0');
    std::size_t size = 0;
    const int bad = sodium_hex2bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr,
                                   &size, nullptr);
    return bad || size * 2 != text.size() ? std::string() : bytes;
}

std::string base64(std::string_view bytes) {
    return encoded(bytes, sodium_base64_VARIANT_ORIGINAL);
}

std::string base64url(std::string_view bytes) {
    return encoded(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

std::string base64url_decode(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    if (sodium_base642bin(bytes_of(bytes), bytes.size(), text.data(), text.size(), nullptr, &size,
                          &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        end != text.data() + text.size())
        return {};
    bytes.resize(size);
    return bytes;
}

std::string hmac_sha256(std::string_view key, std::string_view message) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    unsigned size = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes_of(message), message.size(),
         bytes_of(digest), &size);
    return digest;
}

bool same_secret(std::string_view left, std::string_view right) {
    return left.size() == right.size() &&
           sodium_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string seal(const std::string& key, std::string_view context, std::string_view text) {
    std::string out = random_bytes(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
    const std::string nonce = out;
    std::string sealed(text.size() + crypto_aead_xchacha20poly1305_ietf_ABYTES, '\0');
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        bytes_of(sealed), nullptr, bytes_of(text), text.size(), bytes_of(context), context.size(),
        nullptr, bytes_of(std::string_view(nonce)), bytes_of(std::string_view(key)));
    return out += sealed;
}

std::optional<std::string> unseal(const std::string& key, std::string_view context,
                                  std::string_view sealed) {
    constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
    constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
    need_sodium();
    if (sealed.size() < kNonce + kTag) return std::nullopt;
    const std::string_view nonce = sealed.substr(0, kNonce), rest = sealed.substr(kNonce);
    std::string text(rest.size() - kTag, '\0');
    const int bad = crypto_aead_xchacha20poly1305_ietf_decrypt(
        bytes_of(text), nullptr, nullptr, bytes_of(rest), rest.size(), bytes_of(context),
        context.size(), bytes_of(nonce), bytes_of(std::string_view(key)));
    return bad != 0 ? std::nullopt : std::optional(std::move(text));
}

std::string derive_key(const std::string& master, std::string_view purpose) {
    return hmac_sha256(master, purpose);
}

}  // namespace svc::devapi
