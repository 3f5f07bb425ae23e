// Signs values that the server gives to clients and must get back unchanged, with a key of one
// purpose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::identity {

class Signer {
  public:
    // Every process with the same secret and purpose makes the same signatures.
    Signer(std::string_view secret, std::string_view purpose);

    static constexpr std::size_t kBytes = 16;  // of a signature, raw
    std::string sign(std::string_view message) const;
    bool holds(std::string_view message, std::string_view signature) const;

  private:
    base::Digest key_;
};

}  // namespace svc::identity
