// The time zone that a request counts its days and weeks in, and moments of it in SQL.
#pragma once

#include <string>
#include <string_view>

#include "data/query_text.hpp"

namespace svc::data::filter {

// The zone of a request's days and weeks: its `tz`, else `usual`. PARAMS_INVALID if there is no
// such zone.
Result<std::string> asked_zone(std::string_view query, std::string_view usual);

// SQL of type timestamptz: when the local time `local` (SQL of type timestamp) begins in `zone`
// (SQL of type text). If the clock shows the time twice, it is the first of the two moments. If the
// clock skips the time, it is the moment of the skip.
std::string moment_of(const std::string& local, const std::string& zone);

}  // namespace svc::data::filter
