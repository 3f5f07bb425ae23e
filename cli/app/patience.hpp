// How long a command that follows something waits before it tries again.
#pragma once

#include <chrono>
#include <optional>

namespace svc::cli {

class Patience {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::minutes kLimit{2};

    // It was answered: what fails from now on is another outage.
    void reset() { began_.reset(); }
    // The pause before the next try, longer each time; none: the outage has lasted for kLimit.
    // `dice`, from 0 to 1, shortens it to as little as half, so that clients do not come together.
    std::optional<std::chrono::milliseconds> next(Clock::time_point now, double dice);

  private:
    std::optional<Clock::time_point> began_;  // of the outage; none: no outage
    std::chrono::milliseconds pause_{};
};

}  // namespace svc::cli
