#include "page/html/html.hpp"

#include <array>

#include "base/utf8.hpp"
#include "http/text.hpp"
#include "page/html/address.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

constexpr auto kUnescaped = [] {
    std::array<bool, 256> out{};
    for (unsigned byte = 0; byte < 0x80; ++byte) {
        const char c = static_cast<char>(byte);
        out[byte] = !is_control(c) && http::html_entity(c).empty();
    }
    return out;
}();

// It stands for itself, and is a whole character.
bool is_unescaped(char c) { return kUnescaped[static_cast<unsigned char>(c)]; }

// Calls `take` with each whole character; what is none comes as U+FFFD.
template <class Take>
void each_character(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const std::size_t length = base::utf8_sequence(text);
        take(length == 0 ? kReplacement : text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

}  // namespace

// Runs of characters that mean nothing are most of every page: each is appended as a whole.
void append_escaped(std::string& out, std::string_view text) {
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && is_unescaped(text[plain])) ++plain;
        out.append(text, 0, plain);
        text.remove_prefix(plain);
        if (text.empty()) return;
        const std::size_t length = base::utf8_sequence(text);
        const std::string_view entity = http::html_entity(text.front());
        if (length == 0)
            out += kReplacement;
        else if (!entity.empty())
            out += entity;
        else if (!is_control(text.front()))
            out.append(text, 0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

std::string clean_text(std::string_view text) {
    std::string out;
    each_character(text, [&](std::string_view character) {
        if (!is_control(character.front())) out += character;
    });
    return out;
}

std::string shortened(std::string_view text, std::size_t characters) {
    if (text.size() <= characters || base::characters(text) <= characters) return std::string(text);
    std::string out;
    std::size_t left = characters;
    each_character(text, [&](std::string_view character) {
        if (left == 0) return;
        out += character;
        --left;
    });
    return out + "…";
}

Html& Html::href(std::string_view address) {
    if (!leads_somewhere(address)) return *this;
    return *this << " href=\"" << address << "\"";
}

}  // namespace svc::page
