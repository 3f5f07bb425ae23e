#include "page/html/html.hpp"

#include "base/utf8.hpp"
#include "http/text.hpp"
#include "page/html/address.hpp"

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

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
    out += http::escape_html(clean_text(text));
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
