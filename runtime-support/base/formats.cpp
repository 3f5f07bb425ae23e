#include "base/formats.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace svc::base {
namespace {

constexpr std::size_t kDate = 10;  // characters
constexpr std::size_t kMostFraction = 9;
constexpr int kMostOffset = 15;  // hours

// In the shape, 0 means a digit and every other character itself.
bool has_shape(std::string_view text, std::string_view shape) {
    return std::ranges::equal(text, shape,
                              [](char c, char s) { return s == '0' ? is_digit(c) : c == s; });
}

int number(std::string_view digits) {
    int out = 0;
    for (const char c : digits) out = out * 10 + (c - '0');
    return out;
}

// +02, +0200, +02:00 in minutes east; of a text that is_offset() takes.
int minutes_of(std::string_view offset) {
    if (offset.size() < 3) return 0;
    const int hours = number(offset.substr(1, 2));
    const int rest = offset.size() > 3 ? number(offset.substr(offset.size() - 2)) : 0;
    return (offset[0] == '-' ? -1 : 1) * (hours * 60 + rest);
}

bool is_offset(std::string_view text) {
    if (text.empty() || text == "Z" || text == "z") return true;
    if (text[0] != '+' && text[0] != '-') return false;
    text.remove_prefix(1);
    const bool shaped =
        has_shape(text, "00") || has_shape(text, "0000") || has_shape(text, "00:00");
    return shaped && number(text.substr(0, 2)) <= kMostOffset &&
           (text.size() == 2 || number(text.substr(text.size() - 2)) < 60);
}

bool is_of_clock(std::string_view text) {
    const std::string_view minutes = text.substr(0, 5);
    if (!has_shape(minutes, "00:00") || number(minutes.substr(0, 2)) > 23 ||
        number(minutes.substr(3)) > 59)
        return false;
    text.remove_prefix(5);
    if (text.empty()) return true;
    if (!has_shape(text.substr(0, 3), ":00") || number(text.substr(1, 2)) > 59) return false;
    text.remove_prefix(3);
    if (text.empty()) return true;
    const std::string_view fraction = text.substr(1);
    return text[0] == '.' && !fraction.empty() && fraction.size() <= kMostFraction &&
           std::ranges::all_of(fraction, is_digit);
}

// PostgreSQL keeps microseconds, so a minute's last half of one is the next minute. Of a text that
// is_of_clock() takes.
bool is_rounded_up(std::string_view time) {
    constexpr std::string_view kLast = ":59.999999";
    const std::string_view seconds = time.substr(5);
    return seconds.starts_with(kLast) && seconds.size() > kLast.size() &&
           seconds[kLast.size()] >= '5';
}

// No offset takes it before the year 1 or past 9999.
bool stays_in_calendar(std::string_view date, std::string_view time, std::string_view offset) {
    const int local = number(time.substr(0, 2)) * 60 + number(time.substr(3, 2));
    const int utc = local - minutes_of(offset);
    if (date == "0001-01-01") return utc >= 0;
    return date != "9999-12-31" || utc + (is_rounded_up(time) ? 1 : 0) < 24 * 60;
}

}  // namespace

int days_in(int year, int month) {
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool is_date(std::string_view text) {
    if (!has_shape(text, "0000-00-00")) return false;
    const int year = number(text.substr(0, 4));
    const int month = number(text.substr(5, 2));
    const int day = number(text.substr(8, 2));
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
}

bool is_time(std::string_view text) {
    return is_of_clock(text) && !(text.starts_with("23:59") && is_rounded_up(text));
}

bool is_moment(std::string_view text) {
    const std::string_view date = text.substr(0, kDate);
    if (!is_date(date)) return false;
    if (text.size() == kDate) return true;
    if (text[kDate] != 'T' && text[kDate] != 't' && text[kDate] != ' ') return false;
    const std::string_view rest = text.substr(kDate + 1);
    const auto end = std::min(rest.find_first_of("Zz+-"), rest.size());
    const std::string_view time = rest.substr(0, end), offset = rest.substr(end);
    return is_of_clock(time) && is_offset(offset) && stays_in_calendar(date, time, offset);
}

bool is_uuid(std::string_view text) {
    constexpr std::string_view kDashes = "00000000-0000-0000-0000-000000000000";
    return std::ranges::equal(text, kDashes,
                              [](char c, char s) { return s == '-' ? c == '-' : is_hex_digit(c); });
}

}  // namespace svc::base
