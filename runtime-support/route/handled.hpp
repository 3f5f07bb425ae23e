// The outcome of a call that ran as a caller.
#pragma once

#include <cstdint>

namespace svc::route {

enum class Handled : std::uint8_t {
    answered,
    session_ended  // the caller's session ended meanwhile: nothing was done, and nothing answered
};

}  // namespace svc::route
