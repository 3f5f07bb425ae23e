#include "json/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/ascii.hpp"
#include "base/json_slice.hpp"
#include "json/lexer.hpp"

namespace svc::json {

namespace {

// A number taken apart: value = digits * 10^exponent, without needless zeros.
struct Parts {
    bool negative = false;
    std::string digits;
    std::int64_t exponent = 0;
};

Parts take_apart(std::string_view number) {
    Parts parts;
    if (number.starts_with('-')) {
        parts.negative = true;
        number.remove_prefix(1);
    }
    const auto e = number.find_first_of("eE");
    if (e != std::string_view::npos) {
        std::string_view exponent = number.substr(e + 1);
        if (exponent.starts_with('+')) exponent.remove_prefix(1);
        constexpr std::int64_t kFar = 1'000'000'000;  // beyond every range that counts
        const auto [end, error] =
            std::from_chars(exponent.data(), exponent.data() + exponent.size(), parts.exponent);
        const bool far = error != std::errc{};
        if (far) parts.exponent = exponent.starts_with('-') ? -kFar : kFar;
        parts.exponent = std::clamp(parts.exponent, -kFar, kFar);
        number = number.substr(0, e);
    }
    const auto point = number.find('.');
    parts.digits = number.substr(0, point);
    if (point != std::string_view::npos) {
        parts.digits += number.substr(point + 1);
        parts.exponent -= static_cast<std::int64_t>(number.size() - point - 1);
    }
    while (!parts.digits.empty() && parts.digits.back() == '0') {
        parts.digits.pop_back();
        ++parts.exponent;
    }
    parts.digits.erase(0, std::min(parts.digits.find_first_not_of('0'), parts.digits.size()));
    return parts;
}

std::int64_t zeros_of_exponent(std::string_view number) {
    if (number.find_first_of("eE") == std::string_view::npos) return 0;
    const Parts parts = take_apart(number);
    return parts.digits.empty() ? 0 : std::abs(parts.exponent);
}

}  // namespace

Whole whole_number(std::string_view number, std::int64_t& out) {
    Parts parts = take_apart(number);
    if (parts.digits.empty()) {
        out = 0;
        return Whole::ok;
    }
    if (parts.exponent < 0) return Whole::not_whole;
    if (static_cast<std::int64_t>(parts.digits.size()) + parts.exponent > 19) {
        return Whole::out_of_range;
    }
    parts.digits.append(static_cast<std::size_t>(parts.exponent), '0');
    if (parts.negative) parts.digits.insert(0, 1, '-');
    const char* begin = parts.digits.data();
    const auto read = std::from_chars(begin, begin + parts.digits.size(), out);
    return read.ec == std::errc{} ? Whole::ok : Whole::out_of_range;
}

bool decimal_in_range(std::string_view number) {
    constexpr std::int64_t kMost = 1000;
    const Parts parts = take_apart(number);
    if (parts.digits.empty()) return number.size() <= 2 * kMost;
    return -parts.exponent <= kMost &&
           static_cast<std::int64_t>(parts.digits.size()) + parts.exponent <= kMost;
}

bool numbers_in_range(std::string_view value) {
    constexpr std::int64_t kMostZeros = 100'000;  // of all exponents together
    std::int64_t zeros = 0;
    for (std::size_t at = 0; at < value.size(); ++at) {
        if (value[at] == '"') {
            at = base::string_end(value, at) - 1;
        } else if (base::is_digit(value[at]) || value[at] == '-') {
            const auto end = std::min(value.find_first_not_of("0123456789+-.eE", at), value.size());
            const std::string_view number = value.substr(at, end - at);
            if (!decimal_in_range(number)) return false;
            zeros += zeros_of_exponent(number);
            if (zeros > kMostZeros) return false;
            at = end - 1;
        }
    }
    return true;
}

bool is_number(std::string_view text) {
    Lexer lexer(text);
    std::string_view raw;
    return lexer.number(raw) && raw == text;
}

std::string array_literal(const std::vector<std::string>& items) {
    std::string out = "{";
    for (const std::string& item : items) {
        if (out.size() > 1) out += ',';
        out += '"';
        for (char c : item) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return out + '}';
}

namespace {

// The length of a list inside the list, as PostgreSQL writes it.
std::size_t nested_length(std::string_view text) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[at] == '{') {
            ++depth;
        } else if (!quoted && text[at] == '}' && --depth == 0) {
            return at + 1;
        }
    }
    return text.size();
}

}  // namespace

bool next_array_item(std::string_view& text, ArrayItem& item) {
    if (text.starts_with('[')) {  // [2:3]={a,b}: bounds that do not begin at 1
        text.remove_prefix(std::min(text.find('='), text.size() - 1) + 1);
    }
    if (text.starts_with('{') || text.starts_with(',')) text.remove_prefix(1);
    if (text.empty() || text.starts_with('}')) return false;
    item = {};
    if (text.starts_with('{')) {
        const std::size_t length = nested_length(text);
        item.text = text.substr(0, length);
        text.remove_prefix(length);
        return true;
    }
    const bool quoted = text.starts_with('"');
    if (quoted) text.remove_prefix(1);
    std::size_t at = 0;
    const std::string_view ends = quoted ? "\"" : ",}";
    while (at < text.size() && ends.find(text[at]) == std::string_view::npos) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        item.text += text[at++];
    }
    text.remove_prefix(std::min(at + (quoted ? 1 : 0), text.size()));
    item.null = !quoted && item.text == "NULL";
    return true;
}

}  // namespace svc::json
