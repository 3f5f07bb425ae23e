#include "cli/app/patience.hpp"

#include <algorithm>

namespace svc::cli {

using namespace std::chrono_literals;

std::optional<std::chrono::milliseconds> Patience::next(Clock::time_point now, double dice) {
    constexpr std::chrono::milliseconds kFirst = 250ms, kLongest = 5s;
    if (!began_) {
        began_ = now;
        pause_ = kFirst;
    } else {
        pause_ = std::min(kLongest, pause_ * 2);
    }
    if (now - *began_ >= kLimit) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::chrono::milliseconds::rep>(
        static_cast<double>(pause_.count()) * (1 - dice / 2)));
}

}  // namespace svc::cli
