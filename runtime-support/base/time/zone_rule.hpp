// The rule that a zone follows after the changes that its file lists: a TZ string of POSIX, which
// RFC 8536 puts at the end of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace svc::base {

// A day of each year, and a time on it.
struct YearlyTime {
    enum Kind : std::uint8_t {
        weekday,  // M10.5.0: the last Sunday of October
        no_leap,  // J60: the first of March, in every year
        day       // 59: counted from 0, the 29th of February too
    } kind = weekday;
    int month = 0, week = 0, of_week = 0;  // of `weekday`
    int of_year = 0;                       // of the others
    std::int32_t seconds = 7200;           // after midnight; may be negative, or of a later day

    // The local time in a year.
    std::int64_t in(int year) const;
};

struct ZoneRule {
    std::int32_t standard = 0;  // seconds, east of UTC positive
    struct Summer {
        std::int32_t offset = 0;
        YearlyTime begins;  // by the clock of standard time
        YearlyTime ends;    // by that of summer time
    };
    std::optional<Summer> summer;

    // Nothing if the text is not a rule.
    static std::optional<ZoneRule> read(std::string_view text);
};

}  // namespace svc::base
