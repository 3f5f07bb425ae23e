#include "base/json_text.hpp"

namespace svc::base {
namespace {

bool continues(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Length of the well-formed UTF-8 sequence that `text` begins with; 0 where there is none. Overlong
// forms, surrogates and what lies beyond U+10FFFF are none.
std::size_t sequence(std::string_view text) {
    auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i])
                               : static_cast<unsigned char>(0);
    };
    unsigned char first = at(0);
    unsigned char second = at(1);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4 || !continues(second)) return 0;
    if (first < 0xE0) return 2;
    if (!continues(at(2))) return 0;
    if (first < 0xF0) {
        bool overlong = first == 0xE0 && second < 0xA0;
        bool surrogate = first == 0xED && second > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    bool overlong = first == 0xF0 && second < 0x90;
    bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || beyond || !continues(at(3)) ? 0 : 4;
}

void append_escape(std::string& out, unsigned char c) {
    switch (c) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    constexpr char kHex[] = "0123456789abcdef";
    out += "\\u00";
    out += kHex[c >> 4];
    out += kHex[c & 15];
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = sequence(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

void append_json(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        auto c = static_cast<unsigned char>(text.front());
        if (c < 0x20 || c == '"' || c == '\\') {
            append_escape(out, c);
            text.remove_prefix(1);
            continue;
        }
        std::size_t length = sequence(text);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            length = 1;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    out += '"';
}

}  // namespace svc::base
