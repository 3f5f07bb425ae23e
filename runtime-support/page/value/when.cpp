#include "page/value/when.hpp"

#include <array>
#include <chrono>
#include <cstdio>

#include "svc/clock.hpp"

namespace svc::page {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Clock {
    int year;
    unsigned month, day;
    std::int64_t hour, minute, second;
};

std::int64_t whole(std::int64_t micros) {
    return micros / kMicros - (micros % kMicros < 0 ? 1 : 0);
}

// Local seconds as a date and a time.
std::optional<Clock> clock_of(std::int64_t local) {
    const chrono::sys_seconds at{chrono::seconds(local)};
    const auto midnight = chrono::floor<chrono::days>(at);
    const chrono::year_month_day date{midnight};
    const int year = static_cast<int>(date.year());
    if (year < 1 || year > 9999) return std::nullopt;
    const std::int64_t time = (at - midnight).count();
    return Clock{year,
                 static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()),
                 time / 3600,
                 time / 60 % 60,
                 time % 60};
}

struct LocalTime {
    std::int64_t instant;  // seconds since 1970
    Clock clock;
};

std::optional<LocalTime> local_time(std::string_view iso, const base::Zone* zone) {
    const Maybe<Moment> at = moment(iso);
    if (!at.known() || iso.find("infinity") != std::string_view::npos) return std::nullopt;
    const std::int64_t instant = whole((*at).micros);
    const auto clock = clock_of(instant + (zone ? zone->offset(instant) : 0));
    return clock ? std::optional(LocalTime{instant, *clock}) : std::nullopt;
}

std::string printed(const char* form, auto... values) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), form, values...);
    return text.data();
}

// Without snprintf(), which reads its form anew: a table has a moment in each row.
void append_two(std::string& out, std::int64_t number) {
    out += static_cast<char>('0' + number / 10);
    out += static_cast<char>('0' + number % 10);
}

// 21 Nov 2026
std::string date_words(const Clock& clock) {
    return std::to_string(clock.day) + ' ' + kMonths.at(clock.month - 1) + ' ' +
           std::to_string(clock.year);
}

// 21 Nov 2026, 14:05
std::string minute_words(const Clock& clock) {
    std::string out = date_words(clock) + ", ";
    append_two(out, clock.hour);
    out += ':';
    append_two(out, clock.minute);
    return out;
}

std::string exact_words(const Clock& clock) {
    std::string out = minute_words(clock) + ':';
    append_two(out, clock.second);
    return out;
}

std::string ago(std::int64_t past) {
    const auto one = [past](std::int64_t unit, const char* name) {
        const std::int64_t count = past / unit;
        return std::to_string(count) + " " + name + (count == 1 ? "" : "s") + " ago";
    };
    if (past < 60) return "just now";
    if (past < 3600) return one(60, "minute");
    if (past < 86400) return one(3600, "hour");
    return one(86400, "day");
}

}  // namespace

std::string day_words(std::string_view iso) {
    const Maybe<Day> at = day(iso);
    if (!at.known() || iso.size() != 10) return std::string(iso);
    const auto date = clock_of(std::int64_t{(*at).days} * 86400);
    return date ? date_words(*date) : std::string(iso);
}

MomentWords moment_words(std::string_view iso, const base::Zone* zone) {
    const auto time = local_time(iso, zone);
    if (!time) return {std::string(iso), std::string(iso)};
    constexpr std::int64_t kNear = 6 * 86400;
    const std::int64_t now =
        chrono::duration_cast<chrono::seconds>(chrono::system_clock::now().time_since_epoch())
            .count();
    const std::int64_t past = now - time->instant;
    const bool near = past >= 0 && past < kNear;
    return {near ? ago(past) : minute_words(time->clock), exact_words(time->clock)};
}

std::string exact_moment(std::string_view iso, const base::Zone* zone) {
    const auto time = local_time(iso, zone);
    return time ? exact_words(time->clock) : std::string(iso);
}

std::string moment_input(std::string_view iso, const base::Zone* zone) {
    const auto time = local_time(iso, zone);
    if (!time) return {};
    const Clock& clock = time->clock;
    std::string out = printed("%04d-%02u-%02uT%02d:%02d", clock.year, clock.month, clock.day,
                              static_cast<int>(clock.hour), static_cast<int>(clock.minute));
    if (clock.second != 0) out += printed(":%02d", static_cast<int>(clock.second));
    return out;
}

std::optional<std::string> typed_moment(std::string_view text, const base::Zone* zone) {
    const Maybe<Moment> local = moment(text);
    if (!local.known() || text.find("infinity") != std::string_view::npos) return std::nullopt;
    const std::int64_t seconds = whole((*local).micros);
    std::int64_t instant = seconds;
    if (zone) {
        // The offset of the hour before tells a local time from the one that the clock skips.
        instant = seconds - zone->offset(seconds);
        instant = seconds - zone->offset(instant);
    }
    const auto clock = clock_of(instant);
    if (!clock) return std::nullopt;
    return printed("%04d-%02u-%02uT%02d:%02d:%02dZ", clock->year, clock->month, clock->day,
                   static_cast<int>(clock->hour), static_cast<int>(clock->minute),
                   static_cast<int>(clock->second));
}

}  // namespace svc::page
