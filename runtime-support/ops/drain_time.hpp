// How long a server that drains waits for the requests that it has begun.
#pragma once

#include <chrono>

namespace svc::ops {

// Another server takes new requests meanwhile, so this one has time for a large upload or the
// answer of a model.
inline constexpr std::chrono::seconds kHandOverTime{60};
// No other server runs: nobody is answered until this one has ended and the next one has started.
inline constexpr std::chrono::seconds kEndTime{10};
// After a further signal while it drains: svcd itself ends, or kHandOverTime is over.
inline constexpr std::chrono::seconds kHurriedTime{3};
// For the last event of streams that are cut.
inline constexpr std::chrono::seconds kLastWords{1};

}  // namespace svc::ops
