#include "outgoing/retry_after.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <string>

#include "base/ascii.hpp"

namespace svc::outgoing {
namespace {

constexpr std::int64_t kLongest = 86400;
constexpr std::string_view kMonthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";

std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t size) {
    int out = 0;
    const char* end = text.data() + at + size;
    const auto [stop, error] = std::from_chars(text.data() + at, end, out);
    if (error != std::errc() || stop != end) return std::nullopt;
    return out;
}

// Sun, 06 Nov 1994 08:49:37 GMT: the one form that servers may send.
std::optional<std::int64_t> instant_of(std::string_view date) {
    if (date.size() != 29 || !date.ends_with(" GMT")) return std::nullopt;
    const std::size_t month = kMonthNames.find(date.substr(8, 3));
    const auto day = number_at(date, 5, 2), year = number_at(date, 12, 4);
    const auto hour = number_at(date, 17, 2), minute = number_at(date, 20, 2);
    const auto second = number_at(date, 23, 2);
    const bool whole = day && year && hour && minute && second && month % 3 == 0;
    if (!whole) return std::nullopt;
    const std::chrono::year_month_day civil(std::chrono::year(*year),
                                            std::chrono::month(unsigned(month / 3 + 1)),
                                            std::chrono::day(unsigned(*day)));
    if (!civil.ok()) return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(civil).time_since_epoch().count();
    return days * 86400 + *hour * 3600 + *minute * 60 + *second;
}

}  // namespace

std::optional<std::int64_t> retry_after(std::string_view value, std::time_t now) {
    value = base::trim(value);
    const bool digits = !value.empty() && std::ranges::all_of(value, base::is_digit);
    if (digits && value.size() > 6) return kLongest;
    std::optional<std::int64_t> seconds;
    if (digits)
        seconds = number_at(value, 0, value.size());
    else if (const auto instant = instant_of(value))
        seconds = *instant - now;
    if (!seconds) return std::nullopt;
    return std::clamp<std::int64_t>(*seconds, 0, kLongest);
}

}  // namespace svc::outgoing
