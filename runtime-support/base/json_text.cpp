#include "base/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/hex.hpp"
#include "base/utf8.hpp"

namespace svc::base {
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
    out += "u00";
    append_hex(out, static_cast<unsigned char>(c));
}

void append_escaped(std::string& out, std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        const char* begin = at;
        while (end - at >= 8 && !any_special(at)) at += 8;
        while (at < end && !special(*at)) ++at;
        out.append(begin, at);
        if (at < end) append_escape(out, *at++);
    }
}

// The length of the beginning that is UTF-8.
std::size_t utf8_length(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8_sequence(text.substr(at));
        if (length == 0) break;
        at += length;
    }
    return at;
}

}  // namespace

void append_json_utf8(std::string& out, std::string_view text) {
    out += '"';
    append_escaped(out, text);
    out += '"';
}

void append_json(std::string& out, std::string_view text) {
    out += '"';
    for (;;) {
        const std::size_t good = utf8_length(text);
        append_escaped(out, text.substr(0, good));
        if (good == text.size()) break;
        out += "\xEF\xBF\xBD";
        text.remove_prefix(good + 1);
    }
    out += '"';
}

std::string json_string(std::string_view text) {
    std::string out;
    append_json(out, text);
    return out;
}

void append_json_member(std::string& out, std::string_view name, std::string_view text) {
    append_json(out, name);
    out += ':';
    append_json(out, text);
}

}  // namespace svc::base
