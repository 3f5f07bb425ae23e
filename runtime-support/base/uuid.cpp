#include "base/uuid.hpp"

#include <sodium.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "base/hex.hpp"

namespace svc::base {

namespace {

// 48 bits of milliseconds, then a counter of 12 bits that starts at random in each millisecond. A
// full counter runs into the next millisecond, and a clock that steps back is not followed.
std::uint64_t next_tick(std::uint16_t random) {
    using std::chrono::duration_cast, std::chrono::milliseconds, std::chrono::system_clock;
    thread_local std::uint64_t last = 0;
    const auto since = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
    const std::uint64_t fresh =
        (static_cast<std::uint64_t>(since.count()) << 12) | (random & 0x7FF);
    last = fresh > last ? fresh : last + 1;
    return last;
}

}  // namespace

std::string new_uuid() {
    std::array<std::uint8_t, 10> random{};
    randombytes_buf(random.data(), random.size());
    const std::uint64_t tick = next_tick(static_cast<std::uint16_t>((random[8] << 8) | random[9]));

    std::array<std::uint8_t, 16> bytes{};
    for (int i = 0; i < 6; ++i) bytes[i] = static_cast<std::uint8_t>(tick >> (52 - 8 * i));
    bytes[6] = static_cast<std::uint8_t>(0x70 | ((tick >> 8) & 0x0F));
    bytes[7] = static_cast<std::uint8_t>(tick);
    for (int i = 0; i < 8; ++i) bytes[8 + i] = random[i];
    bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3F));

    std::string text;
    text.reserve(36);
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        append_hex(text, bytes[i]);
    }
    return text;
}

}  // namespace svc::base
