// SHA-256, and HMAC with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace svc::base {

using Digest = std::array<std::uint8_t, 32>;

// A digest is already spread evenly; its first bytes are hash enough.
struct DigestHash {
    std::size_t operator()(const Digest& digest) const noexcept;
};

// Its bytes, as text functions take them: a view into `digest`.
std::string_view bytes_of(const Digest& digest);

Digest sha256(std::string_view text);
// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view text);
// The hash of several texts, each with its length, so that moving a boundary changes the hash.
std::string sha256_hex_of(std::initializer_list<std::string_view> parts);

// A hash of data that comes piece by piece.
class Sha256 {
  public:
    Sha256();
    Sha256& add(std::string_view piece);
    Digest end();  // call it once; the hash then starts again
    void begin();

  private:
    struct Free {
        void operator()(void* context) const;
    };
    std::unique_ptr<void, Free> context_;
};

// The parts count as one text.
Digest hmac_sha256(std::string_view key, std::initializer_list<std::string_view> parts);

}  // namespace svc::base
