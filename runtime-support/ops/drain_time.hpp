// How long a server that drains lets the requests go on that it has begun.
#pragma once

#include <chrono>

namespace svc::ops {

// Another server takes what is new meanwhile, so a large upload or the stream of a model may end.
inline constexpr std::chrono::seconds kHandOverTime{60};
// Nobody answers until it has ended and the next one has started.
inline constexpr std::chrono::seconds kEndTime{10};
// After a signal to end while it drains: svcd itself ends, or the time above is over.
inline constexpr std::chrono::seconds kHurriedTime{3};
// For the last words of streams that are cut.
inline constexpr std::chrono::seconds kLastWords{1};

}  // namespace svc::ops
