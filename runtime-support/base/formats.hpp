// The text forms of days, times, moments and uuids: what a contract may write is what a server
// takes and PostgreSQL stores. Source: ISO 8601 as PostgreSQL reads it; RFC 9562.
#pragma once

#include <string_view>

namespace svc::base {

bool is_date(std::string_view text);  // 2026-11-21, a day of the calendar from the year 1 on
// 13:37, 13:37:00, 13:37:00.5 with up to 9 digits, and no time that is kept as 24:00.
bool is_time(std::string_view text);
// A date, alone or with T or a space, a time, and Z, an offset below 16 hours or nothing (UTC). In
// UTC it is of the years 1 to 9999, so what is printed in UTC can be read again.
bool is_moment(std::string_view text);
bool is_uuid(std::string_view text);  // 36 characters in any case

int days_in(int year, int month);  // from 1 on

}  // namespace svc::base
