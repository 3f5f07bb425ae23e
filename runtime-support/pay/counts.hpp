// Counts of a process for payments, for its metrics. From any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::pay {

struct Counts {
    std::atomic<std::uint64_t> offline{0}, card{0};  // checkouts, by method of payment
    std::atomic<std::uint64_t> fallbacks{0};         // of the offline ones: a card was asked for
    std::atomic<std::uint64_t> paid{0}, failed{0};   // outcomes that this process brought about
    std::atomic<std::uint64_t> provider_failures{0};
    std::atomic<std::uint64_t> mismatches{0};
};

}  // namespace svc::pay
