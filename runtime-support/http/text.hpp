// Text of a page.
#pragma once

#include <string>
#include <string_view>

namespace svc::http {

// The escape of a character that has a meaning in HTML. Empty: the character itself.
constexpr std::string_view html_entity(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

// Escapes a text for a page, also within quotes.
inline std::string escape_html(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const std::string_view entity = html_entity(c);
        if (entity.empty())
            out += c;
        else
            out += entity;
    }
    return out;
}

}  // namespace svc::http
