// Percent-encoding of parts of addresses (RFC 3986). Header only, like ascii.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace svc::base {

// Everything but unreserved characters as %XX.
inline std::string percent_encoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~') {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += {'%', upper(kHexDigits[byte >> 4U]), upper(kHexDigits[byte & 15U])};
    }
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
