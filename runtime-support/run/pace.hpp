// Which definitions advance quickly enough to share a transaction with others: whoever shares one
// waits for its slowest run, and holds its locks as long.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

namespace svc::run {

class Pace {
  public:
    using Clock = std::chrono::steady_clock;

    // `ms`: what one advance of a run of this definition took.
    void took(const std::string& hash, double ms, Clock::time_point now) {
        if (ms > kQuickMs) slow_until_[hash] = now + kSlowFor;
    }
    // Hashes of those that are slow at present.
    std::vector<std::string> slow(Clock::time_point now) {
        std::erase_if(slow_until_, [&](const auto& one) { return one.second <= now; });
        std::vector<std::string> out;
        for (const auto& [hash, until] : slow_until_) out.push_back(hash);
        return out;
    }

  private:
    static constexpr double kQuickMs = 25;
    static constexpr std::chrono::seconds kSlowFor{30};

    std::unordered_map<std::string, Clock::time_point> slow_until_;
};

}  // namespace svc::run
