#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/utf8.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

int number(std::string_view digits) {
    int out = 0;
    for (const char c : digits) out = out * 10 + (c - '0');
    return out;
}

}  // namespace

bool is_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool is_decimal(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool digits = !text.empty() && (base::is_digit(text[0]) || text[0] == '-');
    return digits && error != std::errc::invalid_argument && end == text.data() + text.size() &&
           base::is_digit(text.back());
}

std::int64_t time_of(std::string_view text) {
    std::int64_t out = number(text.substr(0, 2)) * 60 + number(text.substr(3, 2));
    out *= 60;
    if (text.size() > 5) out += number(text.substr(6, 2));
    out *= 1'000'000;
    // As PostgreSQL rounds it.
    double fraction = 0;
    if (text.size() > 8) std::from_chars(text.data() + 8, text.data() + text.size(), fraction);
    return out + std::llrint(fraction * 1e6);
}

std::int64_t moment_of(std::string_view text) {
    const int year = number(text.substr(0, 4)), month = number(text.substr(5, 2));
    std::int64_t days = 365LL * year + year / 4 - year / 100 + year / 400;
    for (int before = 1; before < month; ++before) days += base::days_in(year, before);
    const bool leap = base::days_in(year, 2) == 29;
    days += number(text.substr(8, 2)) - (leap ? 1 : 0);
    text.remove_prefix(11);
    const std::size_t zone = std::min(text.find_first_of("Zz+-"), text.size());
    const std::string_view offset = text.substr(zone);
    std::int64_t east = 0;  // minutes
    if (offset.size() > 1) {
        east = number(offset.substr(1, 2)) * 60;
        if (offset.size() > 3) east += number(offset.substr(offset.size() - 2));
        if (offset[0] == '-') east = -east;
    }
    return (days * 1440 - east) * 60'000'000 + time_of(text.substr(0, zone));
}

bool is_email(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == 0 || at == std::string_view::npos || text.rfind('@') != at || text.size() > 254)
        return false;
    const std::string_view domain = text.substr(at + 1);
    return !domain.empty() && domain.front() != '.' && domain.back() != '.' &&
           std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; });
}

bool is_url(std::string_view text) {
    const std::size_t scheme = text.starts_with("https://")  ? 8
                               : text.starts_with("http://") ? 7
                                                             : 0;
    return scheme > 0 && text.size() > scheme && std::none_of(text.begin(), text.end(), [](char c) {
               return static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
           });
}

bool is_phone(std::string_view text) {
    const auto digits = std::count_if(text.begin(), text.end(), base::is_digit);
    const std::string_view rest = text.substr(text.starts_with('+') ? 1 : 0);
    return digits >= 3 && digits <= 15 && rest.size() <= 32 && base::is_digit(rest[0]) &&
           rest.find_first_not_of("0123456789 ()-./") == std::string::npos;
}

bool is_slug(std::string_view text) {
    return !text.empty() && text.front() != '-' && text.back() != '-' &&
           text.find("--") == std::string_view::npos &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return base::is_lower(c) || base::is_digit(c) || c == '-'; });
}

std::optional<std::uint64_t> bytes_of(std::string_view size) {
    if (size.size() < 3 || size.size() > 11) return std::nullopt;
    const std::string_view digits = size.substr(0, size.size() - 2);
    const std::string_view unit = size.substr(size.size() - 2);
    if (!std::all_of(digits.begin(), digits.end(), base::is_digit)) return std::nullopt;
    const auto count = static_cast<std::uint64_t>(number(digits));
    if (unit == "KB") return count << 10;
    if (unit == "MB") return count << 20;
    if (unit == "GB") return count << 30;
    return std::nullopt;
}

std::optional<std::uint32_t> seconds_of(std::string_view duration) {
    if (duration.size() < 2 || duration.size() > 7) return std::nullopt;
    const std::string_view digits = duration.substr(0, duration.size() - 1);
    if (!std::all_of(digits.begin(), digits.end(), base::is_digit)) return std::nullopt;
    std::uint64_t seconds = static_cast<std::uint64_t>(number(digits));
    switch (duration.back()) {
        case 's':
            break;
        case 'm':
            seconds *= 60;
            break;
        case 'h':
            seconds *= 3600;
            break;
        case 'd':
            seconds *= 86400;
            break;
        default:
            return std::nullopt;
    }
    if (seconds > UINT32_MAX) return std::nullopt;
    return static_cast<std::uint32_t>(seconds);
}

std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return !base::continues_character(c); }));
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool is_balanced_pattern(const std::string& pattern) {
    int open = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\') {
            if (++i == pattern.size()) return false;
        } else if (pattern[i] == '[') {
            i = pattern.find(']', i + (pattern.substr(i + 1, 1) == "^" ? 3 : 2));
            if (i == std::string::npos) return false;
        } else if (pattern[i] == '(') {
            ++open;
        } else if (pattern[i] == ')' && --open < 0) {
            return false;
        }
    }
    return open == 0;
}

}  // namespace svc::model
