// Moments as text, in UTC. Source: ISO 8601.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace svc::base {

std::string utc_seconds(std::time_t at);         // 2026-11-21T13:37:00, without a zone
std::string utc_millis(std::int64_t at_micros);  // 2026-11-21T13:37:00.512Z
std::string utc_compact(std::time_t at);         // 20261121T133700Z

}  // namespace svc::base
