#include "run/engine/schedule.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "json/value.hpp"

namespace svc::run {
namespace {

constexpr Instant kSecond = 1'000'000;
constexpr Instant kFresh = 60 * kSecond;
constexpr std::size_t kMostTicks = 1000;

Instant floor_div(Instant a, Instant b) { return a / b - (a % b < 0 ? 1 : 0); }

std::optional<CatchUp> catch_up_of(const json::Value& spec) {
    const std::string word = spec.text_of("catchUp");
    return word.empty() ? CatchUp::last : base::read_word<CatchUp>(word);
}

bool read_cron(const json::Value& spec, Schedule& out) {
    out.cron = base::Cron::read(spec.text_of("cron"));
    const std::string zone = spec.text_of("tz");
    out.zone = base::Zone::load(zone.empty() ? "UTC" : zone);
    return out.cron && out.zone;
}

bool read_period(const json::Value& spec, Schedule& out) {
    const json::Value* seconds = spec.find("seconds");
    if (!seconds || !seconds->is(json::Value::Kind::number)) return false;
    out.period = base::number_of(seconds->text, out.period) * kSecond;
    return out.period > 0;
}

// The newest time after `after` and not after `now`. Searches ever longer stretches before `now`,
// because very many times may lie between the two.
std::optional<Instant> newest(const Schedule& schedule, Instant after, Instant now) {
    for (Instant stretch = 3600 * kSecond;; stretch *= 8) {
        const Instant from = std::max(after, now - stretch);
        auto time = schedule.next(from);
        if (time && *time <= now) {
            for (auto later = schedule.next(*time); later && *later <= now;
                 later = schedule.next(*time))
                time = later;
            return time;
        }
        if (from == after) return std::nullopt;
    }
}

void add_each(const Schedule& schedule, Instant after, Instant now, Due& out) {
    out.next = schedule.next(after);
    while (out.next && *out.next <= now && out.ticks.size() < kMostTicks) {
        const Instant planned = *out.next;
        out.next = schedule.next(planned);
        out.ticks.push_back({planned, out.next});
    }
}

}  // namespace

std::optional<Schedule> Schedule::read(std::string_view spec, Instant since) {
    const json::Parsed parsed = json::parse(spec);
    Schedule out;
    out.since = since;
    const auto catch_up = catch_up_of(parsed.value);
    const std::string kind = parsed.value.text_of("kind");
    const bool sound = catch_up && (kind == "cron"    ? read_cron(parsed.value, out)
                                    : kind == "every" ? read_period(parsed.value, out)
                                                      : false);
    if (!sound) return std::nullopt;
    out.catch_up = *catch_up;
    return out;
}

std::optional<Instant> Schedule::next(Instant after) const {
    if (!cron) return since + std::max<Instant>(floor_div(after - since, period) + 1, 1) * period;
    const auto second = base::next_time(*cron, *zone, floor_div(after, kSecond));
    if (!second) return std::nullopt;
    return *second * kSecond;
}

Due due(const Schedule& schedule, Instant after, Instant now, bool missed) {
    Due out;
    if (!missed || schedule.catch_up == CatchUp::all) {
        add_each(schedule, after, now, out);
        return out;
    }
    out.next = schedule.next(std::max(after, now));
    const auto last = newest(schedule, after, now);
    const bool runs = last && (schedule.catch_up == CatchUp::last || *last > now - kFresh);
    if (runs) out.ticks.push_back({*last, out.next});
    return out;
}

}  // namespace svc::run
