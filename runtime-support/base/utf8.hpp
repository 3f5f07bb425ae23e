// UTF-8, byte by byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace svc::base {

// Length of the well-formed sequence that `text` begins with; 0 if there is none. Overlong
// forms, surrogates and what lies beyond U+10FFFF are none.
std::size_t utf8_sequence(std::string_view text);

bool is_utf8(std::string_view text);

// Not the first byte of a character.
constexpr bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// How many characters (code points) begin in it.
constexpr std::size_t characters(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) count += continues_character(c) ? 0 : 1;
    return count;
}

}  // namespace svc::base
