// The answer of svc.advance for a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/words.hpp"

namespace svc::run {

enum class RunState : std::uint8_t {
    again,    // advance it once more
    outside,  // a step asks for something outside the database
    waiting,
    ended,
    lost  // somebody else has it
};

// The values of svc.run.status.
enum class RunStatus : std::uint8_t {
    queued,
    running,
    waiting,
    held,
    succeeded,
    failed,
    dead,
    cancelled
};

struct AdvanceResult {
    std::optional<RunState> state = {};  // none: it was not advanced
    std::string path, text;
    std::optional<RunStatus> status = {};  // of one that has ended
    std::string bound = {};                // seconds that the next one may take; empty: any time
    std::string problem = {};              // where it was not advanced for good: why
    std::string hash = {};                 // of its definition, where it is known

    bool goes_on() const { return state == RunState::again || state == RunState::outside; }
};

}  // namespace svc::run

template <>
struct svc::base::Words<svc::run::RunState> {
    static constexpr std::array<std::string_view, 5> kAll = {"again", "outside", "waiting", "ended",
                                                             "lost"};
};
template <>
struct svc::base::Words<svc::run::RunStatus> {
    static constexpr std::array<std::string_view, 8> kAll = {
        "queued", "running", "waiting", "held", "succeeded", "failed", "dead", "cancelled"};
};
