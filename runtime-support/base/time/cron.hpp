// Times of cron: minute, hour, day of month, month, day of week. Each field is *, a number, a
// range, any of these with a step (*/15, 9-17/2), or several joined by commas; months and days of
// the week also by their first three letters. Sunday is 0 or 7. Where both days are given, either
// suffices; a field that begins with * is not given.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time/zone.hpp"

namespace svc::base {

struct Cron {
    struct Field {
        std::bitset<60> values;
        bool given = false;  // it does not begin with *
    };
    Field minute, hour, day, month, weekday;  // a weekday of 7 stands as 0

    // Nothing if the text is not valid.
    static std::optional<Cron> read(std::string_view text);
};

// What is wrong with the text, as a sentence. Empty if it is valid.
std::string cron_problem(std::string_view text);

// The first time after `instant`, by the clock of the zone. If the hour field is given: a time that
// the clock skips counts right after the skip, and a time that occurs twice counts the first time.
// Otherwise every matching minute that the clock shows counts. Nothing if there is no such time.
std::optional<std::int64_t> next_time(const Cron& cron, const Zone& zone, std::int64_t instant);

}  // namespace svc::base
