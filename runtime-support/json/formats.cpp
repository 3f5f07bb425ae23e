#include "json/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/ascii.hpp"
#include "base/json_slice.hpp"
#include "json/lexer.hpp"

namespace svc::json {

namespace {

// Two digits at `at` that are at most `max`.
bool two(std::string_view text, std::size_t at, int max) {
    if (text.size() < at + 2 || !base::is_digit(text[at]) || !base::is_digit(text[at + 1]))
        return false;
    return (text[at] - '0') * 10 + (text[at + 1] - '0') <= max;
}

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

// The offset of a timestamp: nothing, Z, +02, +0200, +02:00.
bool is_offset(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z") return true;
    if (text[0] != '+' && text[0] != '-') return false;
    text.remove_prefix(1);
    if (!two(text, 0, 15)) return false;
    text.remove_prefix(2);
    if (text.empty()) return true;
    if (text[0] == ':') text.remove_prefix(1);
    return text.size() == 2 && two(text, 0, 59);
}

// No offset takes it before the year 1 or past 9999: what is printed in UTC must be readable again.
bool stays_in_calendar(std::string_view date, std::string_view time, std::string_view offset) {
    if (offset.size() < 3 || (date != "0001-01-01" && date != "9999-12-31")) return true;
    const auto minutes = [](std::string_view hours, std::string_view rest) {
        const auto of = [](std::string_view two) { return (two[0] - '0') * 10 + two[1] - '0'; };
        return of(hours) * 60 + (rest.size() < 2 ? 0 : of(rest.substr(rest.size() - 2)));
    };
    const int local = minutes(time.substr(0, 2), time.substr(2));
    const int shift = minutes(offset.substr(1, 2), offset.substr(3));
    const int utc = offset[0] == '+' ? local - shift : local + shift;
    return date == "0001-01-01" ? utc >= 0 : utc < 24 * 60;
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

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    if (!two(text, 0, 99) || !two(text, 2, 99) || !two(text, 5, 12) || !two(text, 8, 31)) {
        return false;
    }
    const auto number = [text](std::size_t at, std::size_t length) {
        int value = 0;
        std::from_chars(text.data() + at, text.data() + at + length, value);
        return value;
    };
    const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    if (year == 0 || month == 0 || day == 0) return false;
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return day <= kDays[month - 1] + (leap && month == 2 ? 1 : 0);
}

bool is_time(std::string_view text) {
    if (!two(text, 0, 23) || text.size() < 5 || text[2] != ':' || !two(text, 3, 59)) return false;
    if (text.size() == 5) return true;
    if (text[5] != ':' || !two(text, 6, 59)) return false;
    if (text.size() == 8) return true;
    const std::string_view fraction = text.substr(9);
    return text[8] == '.' && !fraction.empty() && fraction.size() <= 9 &&
           std::all_of(fraction.begin(), fraction.end(), base::is_digit);
}

bool is_timestamp(std::string_view text) {
    if (!is_date(text.substr(0, 10))) return false;
    if (text.size() == 10) return true;
    if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return false;
    const std::string_view rest = text.substr(11);
    const auto offset = std::min(rest.find_first_of("Zz+-"), rest.size());
    if (!is_time(rest.substr(0, offset)) || !is_offset(rest.substr(offset))) return false;
    return stays_in_calendar(text.substr(0, 10), rest.substr(0, 5), rest.substr(offset));
}

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char lower = static_cast<char>(text[i] | 0x20);
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !base::is_digit(text[i]) && !(lower >= 'a' && lower <= 'f'))
            return false;
    }
    return true;
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
