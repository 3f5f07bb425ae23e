#include "identity/sealer.hpp"

#include <sodium.h>

#include <stdexcept>
#include <vector>

namespace svc::identity {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t kNonce = crypto_secretbox_NONCEBYTES;
constexpr std::size_t kKeyIdBytes = 6;
static_assert(crypto_secretbox_KEYBYTES == 32);

const std::uint8_t* raw(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::string encoded(const std::uint8_t* bytes, std::size_t size) {
    std::string text(sodium_base64_ENCODED_LEN(size, kVariant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes, size, kVariant);
    text.pop_back();  // its final NUL
    return text;
}

}  // namespace

Sealer::Sealer(std::string_view secret, std::string_view purpose) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium did not start");
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, raw(secret), secret.size());
    crypto_auth_hmacsha256_update(&state, raw("seal "), 5);
    crypto_auth_hmacsha256_update(&state, raw(purpose), purpose.size());
    crypto_auth_hmacsha256_final(&state, key_.data());
    std::uint8_t id[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(id, key_.data(), key_.size());
    key_id_ = encoded(id, kKeyIdBytes);
}

std::string Sealer::seal(std::string_view value) const {
    std::vector<std::uint8_t> out(kNonce + crypto_secretbox_MACBYTES + value.size());
    randombytes_buf(out.data(), kNonce);
    crypto_secretbox_easy(out.data() + kNonce, raw(value), value.size(), out.data(), key_.data());
    return key_id_ + '.' + encoded(out.data(), out.size());
}

std::optional<std::string> Sealer::open(std::string_view sealed) const {
    const auto dot = sealed.find('.');
    if (dot == std::string_view::npos || sealed.substr(0, dot) != key_id_) return std::nullopt;
    sealed.remove_prefix(dot + 1);
    std::vector<std::uint8_t> box(sealed.size());
    std::size_t size = 0;
    if (sodium_base642bin(box.data(), box.size(), sealed.data(), sealed.size(), nullptr, &size,
                          nullptr, kVariant) != 0 ||
        size < kNonce + crypto_secretbox_MACBYTES)
        return std::nullopt;
    std::string value(size - kNonce - crypto_secretbox_MACBYTES, '\0');
    if (crypto_secretbox_open_easy(reinterpret_cast<std::uint8_t*>(value.data()),
                                   box.data() + kNonce, size - kNonce, box.data(),
                                   key_.data()) != 0)
        return std::nullopt;
    return value;
}

}  // namespace svc::identity
