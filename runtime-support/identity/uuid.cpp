#include "identity/uuid.hpp"

#include <sodium.h>

#include <chrono>
#include <cstdint>

namespace svc::identity {

std::string new_uuid() {
    std::uint8_t bytes[16];
    randombytes_buf(bytes, sizeof bytes);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    for (int i = 5; i >= 0; --i, left >>= 8) bytes[i] = static_cast<std::uint8_t>(left);
    bytes[6] = static_cast<std::uint8_t>(0x70 | (bytes[6] & 0x0F));
    bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3F));

    char hex[2 * sizeof bytes + 1];
    sodium_bin2hex(hex, sizeof hex, bytes, sizeof bytes);
    std::string text(hex);
    for (const std::size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
    return text;
}

}  // namespace svc::identity
