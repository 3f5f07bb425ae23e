// The next start times of a scheduled workflow.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace svc::devapi {

constexpr int kNextTimes = 10;

struct NextTimes {
    std::string zone;  // IANA name, on whose clocks the times are; UTC of `every`
    // [2026-03-29T07:00:00+02:00], the next ten at most; UTC's end with Z. A rare one may have
    // none.
    nlohmann::json times = nlohmann::json::array();
};

// `trigger`: as definitions have it, JSON text. `since`: from when `every` counts. Both instants
// are microseconds since 1970. A trigger of another kind has no zone and no times.
NextTimes next_times(std::string_view trigger, std::int64_t since, std::int64_t now);

}  // namespace svc::devapi
