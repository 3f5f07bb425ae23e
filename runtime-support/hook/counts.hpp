// Counts of the attempts of this process to send deliveries, for its metrics.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::hook {

// What became of the delivery. Waiting: for the next attempt; dead: there is none.
struct Counts {
    std::atomic<std::uint64_t> sent{0}, waiting{0}, dead{0};
};

}  // namespace svc::hook
