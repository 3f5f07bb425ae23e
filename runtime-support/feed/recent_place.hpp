// The position of feeds a moment ago, for readers to whom an older position costs nothing but
// events that they know already: pages. While nothing is written, all of them share one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "feed/hub/commit_signal.hpp"
#include "http/task.hpp"

namespace svc::feed {

// Used on one thread.
class RecentPlace {
  public:
    using Clock = std::chrono::steady_clock;
    // What other processes write within this time before the position comes once more.
    static constexpr std::chrono::seconds kKept{1};

    // `changes`: of this process; outlives it. `read` asks the database, as read_cursor() does.
    RecentPlace(const CommitSignal& changes, std::function<Task<std::string>()> read)
        : changes_(changes), read_(std::move(read)) {}

    // A cursor from after all that this process had committed. Empty: the database did not answer.
    Task<std::string> cursor(Clock::time_point now = Clock::now());

  private:
    const CommitSignal& changes_;
    const std::function<Task<std::string>()> read_;
    std::string cursor_;  // empty: none is kept
    std::uint64_t commits_ = 0;
    Clock::time_point read_at_;
};

}  // namespace svc::feed
