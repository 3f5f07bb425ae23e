#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "data/search/search.hpp"

namespace svc::data {

namespace {

constexpr std::size_t kMostCharacters = 1000;
// PostgreSQL's parser fails on more than 31 in a row, whatever blanks and brackets are between.
constexpr int kMostNegations = 20;

bool begins_character(char c) { return !base::continues_character(c); }

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; }

// Cut between characters.
std::string_view first_characters(std::string_view text, std::size_t most) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (begins_character(text[i]) && seen++ == most) return text.substr(0, i);
    }
    return text;
}

bool ends_word(char c) { return base::is_alphanumeric(c); }

// "-" says that a word must not occur: only where a word follows. Within a word it is a hyphen.
bool negates(std::string_view text, std::size_t at) {
    return text[at] == '-' && (at == 0 || !ends_word(text[at - 1]));
}
bool negates_nothing(std::string_view text, std::size_t at) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    return text[at] == '-' && (next == '-' || is_blank(next));
}

}  // namespace

std::string search_words(std::string_view typed) {
    typed = first_characters(typed, kMostCharacters);
    std::string out;
    int negations = 0;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const bool dropped =
            negates_nothing(typed, i) || (negates(typed, i) && ++negations > kMostNegations);
        if (is_blank(typed[i]) || dropped) {
            if (!out.empty() && out.back() != ' ') out += ' ';
        } else {
            out += typed[i];
        }
    }
    if (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

}  // namespace svc::data
