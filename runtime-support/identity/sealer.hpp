// Seals what must be kept and read again (a second factor's secret, a provider's):
// XSalsa20-Poly1305 of libsodium, under a key of one purpose. The database holds sealed text, and
// not the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::identity {

class Sealer {
  public:
    // Every process with the same secret and purpose can open the sealed text.
    Sealer(std::string_view secret, std::string_view purpose);

    // "<key id>.<base64url of nonce and box>"
    std::string seal(std::string_view value) const;
    // Nothing if it was sealed with another key, or changed since.
    std::optional<std::string> open(std::string_view sealed) const;

  private:
    base::Digest key_;
    std::string key_id_;
};

}  // namespace svc::identity
