// Decides which definitions advance quickly enough to share a transaction with others: each run in
// it waits for the slowest one, and holds its locks as long. The others have all places but one
// (turns.hpp).
#pragma once

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

namespace svc::run {

class Pace {
  public:
    using Clock = std::chrono::steady_clock;

    // `ms`: what one advance of a run of this definition took. One that took long says little: a
    // first statement, or a busy machine.
    void took(const std::string& hash, double ms, Clock::time_point now) {
        if (ms <= kQuickMs) {
            late_.erase(hash);
            return;
        }
        was_late(hash, now);
    }
    // One advance of a run of this definition took long.
    void was_late(const std::string& hash, Clock::time_point now) {
        Late& late = late_[hash];
        if (++late.in_a_row >= kInARow) late.until = now + kSlowFor;
    }
    // False if it is not known.
    bool is_slow(const std::string& hash, Clock::time_point now) const {
        const auto found = late_.find(hash);
        return found != late_.end() && found->second.until > now;
    }
    // Hashes of the definitions that are slow now.
    std::vector<std::string> slow(Clock::time_point now) const {
        std::vector<std::string> out;
        for (const auto& [hash, late] : late_)
            if (late.until > now) out.push_back(hash);
        return out;
    }

  private:
    struct Late {
        unsigned in_a_row = 0;
        Clock::time_point until = {};
    };
    static constexpr double kQuickMs = 25;
    static constexpr unsigned kInARow = 3;
    static constexpr std::chrono::seconds kSlowFor{30};

    std::unordered_map<std::string, Late> late_;  // definitions that were late lately
};

}  // namespace svc::run
