#include "base/utf8.hpp"

namespace svc::base {

std::size_t utf8_sequence(std::string_view text) {
    const auto at = [&](std::size_t i) {
        return static_cast<unsigned char>(i < text.size() ? text[i] : '\0');
    };
    const auto continues = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
    const unsigned char first = at(0), second = at(1);
    if (first < 0x80) return text.empty() ? 0 : 1;
    if (first < 0xC2 || first > 0xF4 || !continues(1)) return 0;
    if (first < 0xE0) return 2;
    if (!continues(2)) return 0;
    if (first < 0xF0) {
        const bool overlong = first == 0xE0 && second < 0xA0;
        const bool surrogate = first == 0xED && second > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || beyond || !continues(3) ? 0 : 4;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace svc::base
