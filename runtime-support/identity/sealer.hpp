// Seals what must be kept and read again (a second factor's secret, a provider's):
// XSalsa20-Poly1305 of libsodium, under a key of one purpose. The database holds sealed text, and
// not the key.
//
// base/crypto.hpp seals for the platform's own tables, where the id of the key is a column and each
// value belongs to one row. What an app's server keeps goes through text columns, cookies and
// cursors, so it names its key itself. Both formats are stored: neither can take the other's place.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::identity {

class Sealer {
  public:
    // Every process with the same secret and purpose can unseal the text.
    Sealer(std::string_view secret, std::string_view purpose);

    // "<key id>.<base64url of nonce and box>"
    std::string seal(std::string_view value) const;
    // Nothing if it was sealed with another key, or changed since.
    std::optional<std::string> unseal(std::string_view sealed) const;

  private:
    base::Digest key_;
    std::string key_id_;
};

}  // namespace svc::identity
