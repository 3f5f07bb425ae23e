// Counts of the calls of models in this process, for its metrics.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::ai {

struct Counts {
    using Count = std::atomic<std::uint64_t>;
    Count done{0}, failed{0}, left{0};  // calls, by how they ended
    Count prompt_tokens{0}, completion_tokens{0};
    std::atomic<std::int64_t> streams{0};  // open now
};

}  // namespace svc::ai
