// Percent-encoding of parts of addresses (RFC 3986). Header only, like ascii.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace svc::base {

constexpr bool is_unreserved(char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

// Everything but unreserved characters as %XX. Ids and names have no others, as a rule: a run of
// them is appended as a whole.
inline void append_percent_encoded(std::string& out, std::string_view text) {
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && is_unreserved(text[plain])) ++plain;
        out.append(text, 0, plain);
        if (plain == text.size()) return;
        const auto byte = static_cast<unsigned char>(text[plain]);
        out += {'%', upper(kHexDigits[byte >> 4U]), upper(kHexDigits[byte & 15U])};
        text.remove_prefix(plain + 1);
    }
}

inline std::string percent_encoded(std::string_view text) {
    std::string out;
    append_percent_encoded(out, text);
    return out;
}

// True if it begins with a % and two digits.
constexpr bool begins_with_percent_code(std::string_view text) {
    return text.size() > 2 && text[0] == '%' && is_hex_digit(text[1]) && is_hex_digit(text[2]);
}

// Text that is not a percent code stays as it is.
inline std::string percent_decoded(std::string_view text, bool plus_is_space = false) {
    std::string out;
    out.reserve(text.size());
    for (; !text.empty(); text.remove_prefix(1)) {
        if (plus_is_space && text.front() == '+') {
            out += ' ';
        } else if (begins_with_percent_code(text)) {
            out += static_cast<char>(hex_value(text[1]) * 16 + hex_value(text[2]));
            text.remove_prefix(2);
        } else {
            out += text.front();
        }
    }
    return out;
}

}  // namespace svc::base
