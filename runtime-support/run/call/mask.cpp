#include "run/call/mask.hpp"

#include <algorithm>
#include <array>

#include "base/base64url.hpp"
#include "base/hex.hpp"
#include "base/percent.hpp"

namespace svc::run {
namespace {

constexpr std::size_t kLeastBytes = 4, kLeastWord = 8, kLeastBase64 = 6;
constexpr std::string_view kCover = "***";

// One byte of what is meant, and how many characters of the text mean it.
struct Unit {
    char byte = 0;
    std::size_t length = 1;
};

Unit unit_at(std::string_view text) {
    if (base::begins_with_percent_code(text))
        return {static_cast<char>(base::hex_value(text[1]) * 16 + base::hex_value(text[2])), 3};
    if (text[0] != '\\' || text.size() < 2) return {text[0], 1};
    if (text[1] == '"' || text[1] == '\\' || text[1] == '/') return {text[1], 2};
    const bool unicode = text.size() > 5 && text.substr(1, 3) == "u00" &&
                         base::is_hex_digit(text[4]) && base::is_hex_digit(text[5]);
    if (!unicode) return {text[0], 1};
    return {static_cast<char>(base::hex_value(text[4]) * 16 + base::hex_value(text[5])), 6};
}

// A line that is broken within a header goes on after blanks.
std::size_t fold_at(std::string_view text) {
    std::size_t length = 0;
    for (;;) {
        const std::string_view rest = text.substr(length);
        if (rest.starts_with("\\r") || rest.starts_with("\\n"))
            length += 2;
        else if (rest.starts_with('\r') || rest.starts_with('\n'))
            length += 1;
        else
            break;
    }
    while (length > 0 && length < text.size() && (text[length] == ' ' || text[length] == '\t'))
        ++length;
    return length;
}

bool is_base64(char c) {
    return base::is_alphanumeric(c) || c == '+' || c == '/' || c == '-' || c == '_';
}

char of_either_alphabet(char c) { return c == '+' ? '-' : c == '/' ? '_' : c; }

struct Pattern {
    std::string bytes;
    bool base64 = false;
    // Characters beside it hold some bits of the secret and some of what is around it.
    bool shares_first = false, shares_last = false;

    bool is(char c, char wanted) const {
        return base64 ? of_either_alphabet(c) == wanted : c == wanted;
    }
};

// The length of the text at the front that matches the pattern; else 0.
std::size_t length_of(std::string_view text, const Pattern& pattern) {
    std::size_t at = 0;
    for (const char wanted : pattern.bytes) {
        if (at >= text.size()) return 0;
        Unit unit = unit_at(text.substr(at));
        // A secret's own '%' or '\' may stand there as it is.
        if (!pattern.is(unit.byte, wanted) && pattern.is(text[at], wanted)) unit = {text[at], 1};
        if (!pattern.is(unit.byte, wanted)) {
            const std::size_t fold = at == 0 ? 0 : fold_at(text.substr(at));
            if (fold == 0 || at + fold >= text.size()) return 0;
            at += fold;
            unit = unit_at(text.substr(at));
            if (!pattern.is(unit.byte, wanted)) return 0;
        }
        at += unit.length;
    }
    if (pattern.shares_last && at < text.size() && is_base64(text[at])) ++at;
    return at;
}

// Adds what every Base64 text that contains the secret has: one for each offset in three bytes.
void add_base64(const std::string& secret, std::vector<Pattern>& out) {
    for (std::size_t before = 0; before < 3; ++before) {
        std::string text = base::base64url(std::string(before, 'x') + secret);
        const std::size_t first = before == 0 ? 0 : before + 1;
        const std::size_t last = (before + secret.size()) * 8 / 6;
        if (last < first + kLeastBase64) continue;
        out.push_back({text.substr(first, last - first), true, before != 0,
                       (before + secret.size()) * 8 % 6 != 0});
    }
}

void add_words(const std::string& secret, std::vector<Pattern>& out) {
    std::size_t begin = 0;
    while (begin < secret.size()) {
        const std::size_t end = std::min(secret.find_first_of(" \t,;=:&", begin), secret.size());
        if (end - begin >= kLeastWord && end - begin < secret.size())
            out.push_back({secret.substr(begin, end - begin)});
        begin = end + 1;
    }
}

std::vector<Pattern> patterns_of(const std::vector<std::string>& secrets) {
    std::vector<Pattern> out;
    for (const std::string& secret : secrets) {
        if (secret.size() < kLeastBytes) continue;
        out.push_back({secret});
        add_base64(secret, out);
        add_words(secret, out);
    }
    return out;
}

struct Hit {
    std::size_t length = 0;  // 0: nothing begins here
    bool shares_first = false;
};

Hit longest_at(std::string_view text, const std::vector<Pattern>& patterns) {
    Hit out;
    for (const Pattern& pattern : patterns)
        if (const std::size_t length = length_of(text, pattern); length > out.length)
            out = {length, pattern.shares_first};
    return out;
}

// Characters that one of them may begin with: most text is passed over by these alone.
std::array<bool, 256> first_of(const std::vector<Pattern>& patterns) {
    std::array<bool, 256> out{};
    out['%'] = out['\\'] = true;
    for (std::size_t c = 0; c < out.size(); ++c)
        for (const Pattern& pattern : patterns)
            out[c] = out[c] || pattern.is(static_cast<char>(c), pattern.bytes.front());
    return out;
}

}  // namespace

std::string masked(std::string text, const std::vector<std::string>& secrets) {
    const std::vector<Pattern> patterns = patterns_of(secrets);
    if (patterns.empty()) return text;
    const std::array<bool, 256> first = first_of(patterns);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const bool may_begin = first[static_cast<unsigned char>(text[at])];
        const Hit hit = may_begin ? longest_at(std::string_view(text).substr(at), patterns) : Hit();
        if (hit.length == 0) {
            out += text[at++];
            continue;
        }
        if (hit.shares_first && !out.empty() && is_base64(out.back())) out.pop_back();
        out += kCover;
        at += hit.length;
    }
    return out;
}

}  // namespace svc::run
