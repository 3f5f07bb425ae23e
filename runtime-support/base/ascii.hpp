// Letters, digits and blanks of ASCII: names, header fields and keywords know no others. A header
// alone, so that generator, client and servers, which link little in common, ask the same.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }
constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; }

inline std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = lower(c);
    return out;
}

// True if the texts are equal but for the case of letters.
constexpr bool iequals(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

// The text without the blanks and tabs at both ends.
constexpr std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

}  // namespace svc::base
