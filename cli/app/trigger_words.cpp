#include "cli/app/trigger_words.hpp"

#include <nlohmann/json.hpp>

#include "cli/app/envelope.hpp"
#include "cli/context.hpp"

namespace svc::cli {
namespace {

std::string span_words(long seconds) {
    for (const auto& [unit, size] : {std::pair{'d', 86400L}, {'h', 3600L}, {'m', 60L}})
        if (seconds >= size && seconds % size == 0) return std::to_string(seconds / size) + unit;
    return std::to_string(seconds) + "s";
}

constexpr std::size_t kTimesInALine = 3;

// 2026-03-29T07:00:00+02:00 as "2026-03-29 07:00 +02:00"; UTC, which ends with Z, without it.
std::string clock_words(std::string time) {
    constexpr std::size_t kDate = 10, kMinutes = 16, kWhole = 19;
    if (time.size() <= kWhole) return time;
    const std::string offset = time[kWhole] == 'Z' ? "" : ' ' + time.substr(kWhole);
    time[kDate] = ' ';
    const bool even = time.compare(kMinutes, kWhole - kMinutes, ":00") == 0;
    return time.substr(0, even ? kMinutes : kWhole) + offset;
}

std::string times_of(const nlohmann::json& schedule) {
    const auto next = schedule.value("next", nlohmann::json::array());
    if (next.empty()) return "  never\n";
    std::string out;
    for (std::size_t i = 0; i < next.size(); ++i) {
        out += (i % kTimesInALine == 0 ? "  " : ",  ") + clock_words(cell_of(next[i]));
        if (i + 1 == next.size() || (i + 1) % kTimesInALine == 0) out += '\n';
    }
    return out;
}

}  // namespace

std::string schedule_lines(const nlohmann::json& schedules, const char* name) {
    std::string out;
    for (const auto& one : schedules) {
        if (!one.contains("zone")) continue;
        out += text_of(one, name) + " starts next, by the clocks of " + text_of(one, "zone") +
               ":\n" + times_of(one);
    }
    return out;
}

std::string trigger_words(const nlohmann::json& trigger) {
    const std::string kind = text_of(trigger, "kind");
    if (kind == "event") return text_of(trigger, "table") + " " + text_of(trigger, "event");
    if (kind == "transition")
        return text_of(trigger, "table") + " " + text_of(trigger, "transition");
    if (kind == "cron") return "at " + text_of(trigger, "cron") + " " + text_of(trigger, "tz");
    if (kind == "every") return "every " + span_words(trigger.value("seconds", 0L));
    if (kind == "webhook") return "webhook " + text_of(trigger, "name");
    if (kind == "topic") return "topic " + text_of(trigger, "pattern");
    if (kind == "auth") return text_of(trigger, "event");
    if (kind == "failed") return text_of(trigger, "workflow") + " failed";
    return kind == "manual" ? "by hand" : kind;
}

}  // namespace svc::cli
