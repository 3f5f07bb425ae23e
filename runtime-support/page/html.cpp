#include "page/html.hpp"

#include "base/utf8.hpp"
#include "page/address.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

// Calls `take` with each whole character; what is none comes as U+FFFD.
template <class Take>
void each_character(std::string_view text, const Take& take) {
    while (!text.empty()) {
        const std::size_t length = base::utf8_sequence(text);
        take(length == 0 ? kReplacement : text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

void append_one(std::string& out, std::string_view character) {
    switch (character.front()) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += character;
    }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
    each_character(text, [&](std::string_view character) {
        if (!is_control(character.front())) append_one(out, character);
    });
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

// Of JSON these characters stand in strings alone, where each may be written as an escape.
Html& Html::inert_json(std::string_view json) {
    each_character(json, [this](std::string_view character) {
        if (character == "<")
            out_ += "\\u003c";
        else if (character == ">")
            out_ += "\\u003e";
        else if (character == "&")
            out_ += "\\u0026";
        else if (character == "\u2028")
            out_ += "\\u2028";
        else if (character == "\u2029")
            out_ += "\\u2029";
        else
            out_ += character;
    });
    return *this;
}

Html& Html::href(std::string_view address) {
    if (!leads_somewhere(address)) return *this;
    return *this << " href=\"" << address << "\"";
}

}  // namespace svc::page
