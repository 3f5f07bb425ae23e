// Hexadecimal digits, to and from. A header alone, as ascii.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::base {

inline constexpr std::string_view kHexDigits = "0123456789abcdef";

// The value of a digit in any case; -1 for any other character.
constexpr int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

constexpr bool is_hex_digit(char c) { return hex_value(c) >= 0; }

// Two digits a byte, lower case.
inline void append_hex(std::string& out, unsigned char byte) {
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 15U];
}

inline std::string hex(std::string_view bytes) {
    std::string out;
    out.reserve(2 * bytes.size());
    for (const char byte : bytes) append_hex(out, static_cast<unsigned char>(byte));
    return out;
}

// Nothing if it is not hexadecimal.
inline std::optional<std::string> unhex(std::string_view text) {
    std::string out;
    out.reserve(text.size() / 2);
    if (text.size() % 2 != 0) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_value(text[i]), low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high << 4 | low);
    }
    return out;
}

}  // namespace svc::base
