#include "file/kind/name.hpp"

#include <algorithm>

#include "base/percent.hpp"
#include "base/utf8.hpp"

namespace svc::file {
namespace {

constexpr std::size_t kMostBytes = 200;
constexpr std::size_t kMostEnding = 20;

// U+200E, U+200F, U+2028 to U+202E, U+2060 to U+206F, U+FEFF: they are not seen, and make a name
// seem to be another one.
bool is_unseen(std::string_view character) {
    if (character.size() != 3) return false;
    const auto last = static_cast<unsigned char>(character[2]);
    if (character.starts_with("\xE2\x80"))
        return last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE);
    if (character.starts_with("\xE2\x81")) return last >= 0xA0 && last <= 0xAF;
    return character == "\xEF\xBB\xBF";
}

bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first < 0x20 || first == 0x7F;
    return character.size() == 2 && first == 0xC2 &&
           static_cast<unsigned char>(character[1]) < 0xA0;
}

std::string seen(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = base::utf8_sequence(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        if (length == 0)
            out += '_';
        else if (!is_control(character) && !is_unseen(character))
            out += character;
        text.remove_prefix(character.size());
    }
    return out;
}

void cut(std::string& text, std::size_t most) {
    if (text.size() <= most) return;
    while (most > 0 && base::continues_character(text[most])) --most;
    text.resize(most);
}

}  // namespace

std::string clean_name(std::string_view sent) {
    const std::size_t slash = sent.find_last_of("/\\");
    if (slash != std::string_view::npos) sent.remove_prefix(slash + 1);
    std::string out = seen(sent);
    const std::size_t first = out.find_first_not_of(' ');
    if (first == std::string::npos) return "file";
    out.erase(0, first);
    out.erase(out.find_last_not_of(" .") + 1);
    if (out.empty()) return "file";
    const std::size_t dot = out.rfind('.');
    const bool has_ending = dot != std::string::npos && dot > 0 && out.size() - dot <= kMostEnding;
    const std::string ending = has_ending ? out.substr(dot) : "";
    out.resize(out.size() - ending.size());
    cut(out, kMostBytes - ending.size());
    // The cut may leave a dot or a space at the end.
    if (!has_ending) out.erase(out.find_last_not_of(" .") + 1);
    return out.empty() ? "file" : out + ending;
}

std::string disposition(std::string_view kind, std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (base::continues_character(c)) continue;
        const bool fits = c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '%';
        plain += fits ? c : '_';
    }
    return std::string(kind) + "; filename=\"" + plain + "\"; filename*=UTF-8''" +
           base::percent_encoded(name);
}

}  // namespace svc::file
