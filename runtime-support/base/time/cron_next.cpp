// When a time of cron comes next.
#include <algorithm>
#include <chrono>

#include "base/time/cron.hpp"

namespace svc::base {
namespace {

constexpr std::int64_t kMinuteSeconds = 60, kDaySeconds = 86400;
// The 29th of February on a given weekday comes after 40 years at most, as in 2080 and 2120.
constexpr int kDaysAhead = 41 * 366;

bool fits_day(const Cron& cron, std::chrono::sys_days day) {
    const std::chrono::year_month_day date(day);
    if (!cron.month.values[static_cast<unsigned>(date.month())]) return false;
    const bool by_day = cron.day.values[static_cast<unsigned>(date.day())];
    const bool by_weekday = cron.weekday.values[std::chrono::weekday(day).c_encoding()];
    const bool either = cron.day.given && cron.weekday.given;
    return either ? by_day || by_weekday : by_day && by_weekday;
}

// The first minute of a day, from `least` on, that fits; its minutes are counted from 0.
std::optional<std::int64_t> minute_from(const Cron& cron, std::int64_t least) {
    for (std::int64_t hour = least / 60; hour < 24; ++hour) {
        if (!cron.hour.values[static_cast<std::size_t>(hour)]) continue;
        for (std::int64_t minute = std::max<std::int64_t>(least - hour * 60, 0); minute < 60;
             ++minute)
            if (cron.minute.values[static_cast<std::size_t>(minute)]) return hour * 60 + minute;
    }
    return std::nullopt;
}

// The first local time from `local` on.
std::optional<std::int64_t> next_local(const Cron& cron, std::int64_t local) {
    using std::chrono::days;
    const std::chrono::sys_seconds time{std::chrono::seconds(local)};
    auto day = std::chrono::floor<days>(time);
    const auto into_day = (time - day).count();
    std::int64_t least = (into_day + kMinuteSeconds - 1) / kMinuteSeconds;
    for (int i = 0; i < kDaysAhead; ++i, day += days(1), least = 0) {
        if (!fits_day(cron, day)) continue;
        if (const auto minute = minute_from(cron, least))
            return day.time_since_epoch().count() * kDaySeconds + *minute * kMinuteSeconds;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> next_time(const Cron& cron, const Zone& zone, std::int64_t instant) {
    std::int64_t from = instant + 1;
    for (;;) {
        const ZoneSpan span = zone.span(from);
        std::int64_t least = from + span.offset;
        if (cron.hour.given && span.begin != -ZoneSpan::kEver) {
            // The time that the clock before this span would show here. A clock change either skips
            // it or shows it twice.
            const std::int64_t shown = span.begin + zone.offset(span.begin - 1);
            const auto leapt = from == span.begin ? next_local(cron, shown) : std::nullopt;
            if (leapt && *leapt < span.begin + span.offset) return span.begin;
            least = std::max(least, shown);
        }
        const auto local = next_local(cron, least);
        if (!local) return std::nullopt;
        if (*local - span.offset < span.end) return *local - span.offset;
        from = span.end;
    }
}

}  // namespace svc::base
