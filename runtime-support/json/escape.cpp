#include "json/escape.hpp"

#include <cstdint>
#include <cstring>

namespace svc::json {

namespace {

constexpr std::uint64_t repeat(unsigned char byte) { return 0x0101010101010101ULL * byte; }

// The high bit of each byte that is zero.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - repeat(0x01)) & ~word & repeat(0x80);
}

// Eight bytes at a time: most text has nothing to escape.
bool any_special(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t control = (word - repeat(0x20)) & ~word & repeat(0x80);
    return (control | zero_bytes(word ^ repeat('"')) | zero_bytes(word ^ repeat('\\'))) != 0;
}

bool special(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escape(std::string& out, char c) {
    constexpr std::string_view kBytes = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
    out += '\\';
    if (const auto found = kBytes.find(c); found != std::string_view::npos) {
        out += kNames[found];
        return;
    }
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "u00";
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[c & 0xF];
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
    out += '"';
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        const char* begin = at;
        while (end - at >= 8 && !any_special(at)) at += 8;
        while (at < end && !special(*at)) ++at;
        out.append(begin, at);
        if (at < end) append_escape(out, *at++);
    }
    out += '"';
}

void append_timestamp(std::string& out, std::string_view text) {
    out += '"';
    if (text.size() >= 22 && text[10] == ' ' && text.ends_with("+00")) {
        out += text.substr(0, 10);
        out += 'T';
        out += text.substr(11, text.size() - 14);
        out += 'Z';
    } else if (text.size() >= 19 && text[10] == ' ' &&
               text.find_first_not_of("0123456789:.", 11) == std::string_view::npos) {
        out += text.substr(0, 10);
        out += 'T';
        out += text.substr(11);
    } else {
        out += text;
    }
    out += '"';
}

}  // namespace svc::json
