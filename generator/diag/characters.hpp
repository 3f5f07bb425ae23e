// Bytes of UTF-8 text as a reader's screen takes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace svc::diag {

// Not the first byte of a character.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// How many characters (code points) begin in it.
inline std::size_t characters(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

// What a terminal would act on instead of showing it.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace svc::diag
