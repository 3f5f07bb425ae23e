#include "identity/secret/sealer.hpp"

#include <sodium.h>

#include <stdexcept>

#include "base/base64url.hpp"
#include "base/sha256.hpp"

namespace svc::identity {
namespace {

constexpr std::size_t kNonce = crypto_secretbox_NONCEBYTES;
constexpr std::size_t kKeyIdBytes = 6;
static_assert(crypto_secretbox_KEYBYTES == 32);

const std::uint8_t* raw(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

Sealer::Sealer(std::string_view secret, std::string_view purpose) {
    if (sodium_init() < 0) throw std::runtime_error("libsodium failed to start");
    key_ = base::hmac_sha256(secret, {"seal ", purpose});
    const base::Digest id = base::sha256(base::bytes_of(key_));
    key_id_ = base::base64url(base::bytes_of(id).substr(0, kKeyIdBytes));
}

std::string Sealer::seal(std::string_view value) const {
    std::string out(kNonce + crypto_secretbox_MACBYTES + value.size(), '\0');
    auto* bytes = reinterpret_cast<std::uint8_t*>(out.data());
    randombytes_buf(bytes, kNonce);
    crypto_secretbox_easy(bytes + kNonce, raw(value), value.size(), bytes, key_.data());
    return key_id_ + '.' + base::base64url(out);
}

std::optional<std::string> Sealer::unseal(std::string_view sealed) const {
    const auto dot = sealed.find('.');
    if (dot == std::string_view::npos || sealed.substr(0, dot) != key_id_) return std::nullopt;
    sealed.remove_prefix(dot + 1);
    const auto box = base::base64url_decoded(sealed);
    if (!box || box->size() < kNonce + crypto_secretbox_MACBYTES) return std::nullopt;
    std::string value(box->size() - kNonce - crypto_secretbox_MACBYTES, '\0');
    if (crypto_secretbox_open_easy(reinterpret_cast<std::uint8_t*>(value.data()),
                                   raw(*box) + kNonce, box->size() - kNonce, raw(*box),
                                   key_.data()) != 0)
        return std::nullopt;
    return value;
}

}  // namespace svc::identity
