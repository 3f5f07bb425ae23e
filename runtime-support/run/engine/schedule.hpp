// Finds the due times of a schedule, and the next one. Instants are microseconds since 1970, by the
// database's clock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time/cron.hpp"
#include "base/words.hpp"

namespace svc::run {

using Instant = std::int64_t;

// What happens to times that pass while no process runs.
enum class CatchUp : std::uint8_t {
    last,  // the newest of them runs, once
    skip,  // none runs, but one that is less than a minute old
    all    // each runs
};

struct Schedule {
    std::optional<base::Cron> cron;  // none: each `period` from `since` on
    std::shared_ptr<const base::Zone> zone;
    Instant since = 0, period = 0;
    CatchUp catch_up = CatchUp::last;

    // Reads a trigger of kind cron or every from JSON. Nothing for other kinds.
    static std::optional<Schedule> read(std::string_view spec, Instant since);
    // The first time after it; nothing: none comes.
    std::optional<Instant> next(Instant after) const;
};

// A time that runs; `next` comes after it.
struct Tick {
    Instant planned = 0;
    std::optional<Instant> next;
};
struct Due {
    std::vector<Tick> ticks;      // in order; a thousand at most
    std::optional<Instant> next;  // after all of them
};
// `after`: times up to here are done. `missed`: nobody may have polled for a while.
Due due(const Schedule& schedule, Instant after, Instant now, bool missed);

}  // namespace svc::run

// As contracts name them.
template <>
struct svc::base::Words<svc::run::CatchUp> {
    static constexpr std::array<std::string_view, 3> kAll = {"last", "skip", "all"};
};
