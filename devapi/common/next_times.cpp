#include "common/next_times.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/time/utc.hpp"
#include "run/engine/schedule.hpp"

namespace svc::devapi {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

std::string offset_text(std::int32_t offset) {
    std::array<char, 16> out{};
    const int minutes = std::abs(offset) / 60;
    std::snprintf(out.data(), out.size(), "%c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60,
                  minutes % 60);
    return out.data();
}

// The local time of the zone, with its offset from UTC.
std::string shown(run::Instant instant, const base::Zone* zone) {
    const std::int64_t second = instant / kSecond;
    const std::int32_t offset = zone ? zone->offset(second) : 0;
    return base::utc_seconds(second + offset) + (zone ? offset_text(offset) : "Z");
}

// Its name; empty if it is UTC's.
std::string zone_of(std::string_view trigger) {
    const auto spec = nlohmann::json::parse(trigger, nullptr, false);
    const std::string name = spec.is_object() ? spec.value("tz", std::string()) : std::string();
    return name == "UTC" ? std::string() : name;
}

}  // namespace

NextTimes next_times(std::string_view trigger, std::int64_t since, std::int64_t now) {
    NextTimes out;
    const auto schedule = run::Schedule::read(trigger, since);
    if (!schedule) return out;
    const std::string name = zone_of(trigger);
    out.zone = name.empty() ? "UTC" : name;
    auto time = schedule->next(now);
    for (int count = 0; time && count < kNextTimes; ++count, time = schedule->next(*time))
        out.times.push_back(shown(*time, name.empty() ? nullptr : schedule->zone.get()));
    return out;
}

}  // namespace svc::devapi
