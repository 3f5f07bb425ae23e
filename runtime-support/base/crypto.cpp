#include "base/crypto.hpp"

#include <sodium.h>

#include <stdexcept>

#include "base/sha256.hpp"

namespace svc::base {
namespace {

const unsigned char* raw(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* raw(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct Sodium {
    Sodium() {
        if (sodium_init() < 0) throw std::runtime_error("libsodium failed to start.");
    }
};

void need_sodium() { static const Sodium sodium; }

}  // namespace

std::string random_bytes(std::size_t count) {
    need_sodium();
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), count);
    return bytes;
}

std::string base64(std::string_view bytes) {
    constexpr int kKind = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_encoded_len(bytes.size(), kKind), '\0');
    sodium_bin2base64(text.data(), text.size(), raw(bytes), bytes.size(), kKind);
    text.pop_back();
    return text;
}

std::optional<std::string> base64_decoded(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    if (sodium_base642bin(raw(bytes), bytes.size(), text.data(), text.size(), nullptr, &size,
                          nullptr, sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0)
        return std::nullopt;
    bytes.resize(size);
    return bytes;
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
        raw(sealed), nullptr, raw(text), text.size(), raw(context), context.size(), nullptr,
        raw(std::string_view(nonce)), raw(std::string_view(key)));
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
        raw(text), nullptr, nullptr, raw(rest), rest.size(), raw(context), context.size(),
        raw(nonce), raw(std::string_view(key)));
    return bad != 0 ? std::nullopt : std::optional(std::move(text));
}

std::string derive_key(const std::string& master, std::string_view purpose) {
    return std::string(bytes_of(hmac_sha256(master, {purpose})));
}

}  // namespace svc::base
