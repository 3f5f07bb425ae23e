// Seals values that must be stored and read again (secrets of second factors and of providers):
// XSalsa20-Poly1305 of libsodium, under a key of one purpose. The database holds sealed text, and
// not the key.
//
// base/crypto.hpp seals for the platform's own tables, where the id of the key is a column and each
// value belongs to one row. Values of an app's server are in text columns, cookies and cursors, so
// each value names its key itself. Values of both formats are stored, so neither format can replace
// the other.
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
