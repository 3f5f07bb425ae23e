// Counts what a process has done for runs, for its metrics. From any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace svc::run {

using Count = std::atomic<std::uint64_t>;

struct Counts {
    Count started{0};               // runs that nobody had worked on before
    Count taken{0};                 // runs to go on with; one that waited is taken again
    Count times{0};                 // times of schedules that this process kept
    Count succeeded{0}, failed{0};  // ended here; failed: dead letters too
    Count attempts{0};              // at steps outside
    Count lost{0};                  // runs that another process went on with
    Count returned{0};              // runs of dead processes that this one gave back

    static void add(Count& count, std::uint64_t by = 1) {
        count.fetch_add(by, std::memory_order_relaxed);
    }
};

}  // namespace svc::run
