// Days, times and moments as numbers, so that predicates compare and add them as PostgreSQL does.
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/maybe.hpp"

namespace svc {

// Days since 1970-01-01; the least and the greatest value mean PostgreSQL's infinities.
struct Day {
    std::int32_t days = 0;
    friend constexpr bool operator==(Day, Day) = default;
    friend constexpr bool operator<(Day a, Day b) { return a.days < b.days; }
};

// Microseconds since midnight.
struct TimeOfDay {
    std::int64_t micros = 0;
    friend constexpr bool operator==(TimeOfDay, TimeOfDay) = default;
    friend constexpr bool operator<(TimeOfDay a, TimeOfDay b) { return a.micros < b.micros; }
};

// Microseconds since 1970-01-01 in UTC; the least and the greatest are the infinities.
struct Moment {
    std::int64_t micros = 0;
    friend constexpr bool operator==(Moment, Moment) = default;
    friend constexpr bool operator<(Moment a, Moment b) { return a.micros < b.micros; }
};

struct Span {
    std::int64_t micros = 0;
    friend constexpr bool operator==(Span, Span) = default;
    friend constexpr bool operator<(Span a, Span b) { return a.micros < b.micros; }
};

// Reads ISO 8601 and what PostgreSQL prints (datestyle ISO). Null for anything else. A moment
// without an offset is in UTC.
Maybe<Day> day(std::string_view text);
Maybe<TimeOfDay> time_of_day(std::string_view text);
Maybe<Moment> moment(std::string_view text);

// Midnight in UTC.
Maybe<Moment> midnight(const Maybe<Day>& day);
// The day in UTC.
Maybe<Day> day_of(const Maybe<Moment>& moment);
Maybe<Day> days_after(const Maybe<Day>& day, std::int64_t count);
constexpr Maybe<Span> seconds(std::int64_t count) { return Span{count * 1'000'000}; }

Maybe<Moment> operator+(const Maybe<Moment>& a, const Maybe<Span>& b);
inline Maybe<Moment> operator+(const Maybe<Span>& a, const Maybe<Moment>& b) { return b + a; }
Maybe<Moment> operator-(const Maybe<Moment>& a, const Maybe<Span>& b);
Maybe<Span> operator-(const Maybe<Moment>& a, const Maybe<Moment>& b);
Maybe<Span> operator+(const Maybe<Span>& a, const Maybe<Span>& b);
Maybe<Span> operator-(const Maybe<Span>& a, const Maybe<Span>& b);
Maybe<Span> operator-(const Maybe<Span>& a);
// Days from b to a.
Maybe<std::int64_t> operator-(const Maybe<Day>& a, const Maybe<Day>& b);

}  // namespace svc
