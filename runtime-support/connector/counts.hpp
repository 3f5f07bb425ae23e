// Counts of the calls of connectors in this process, for its metrics.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::connector {

struct Counts {
    std::atomic<std::uint64_t> done{0}, failed{0};
};

}  // namespace svc::connector
