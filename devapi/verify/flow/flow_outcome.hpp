// The result of a function or workflow that ran on the clone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "run/engine/advanced.hpp"
#include "verify/verify.hpp"

namespace svc::devapi::verification {

struct FlowOutcome {
    enum class End {
        not_started,  // its condition did not hold
        ended,        // as `status` says
        refused,      // of a function
        endless,      // it is at `path` again and again
        cut_off,      // it takes longer than a verification waits
        broken        // the engine itself failed
    } end = End::ended;
    std::optional<run::RunStatus> status = {};  // of what has ended
    std::string code, error, path;              // where it did not succeed
    std::vector<VerifyEffect> effects;
    std::size_t more = 0;

    bool succeeded() const { return end == End::ended && status == run::RunStatus::succeeded; }
    // "succeeded", "dead at pay: There is no such row. (NOT_FOUND)"
    std::string words() const;
    // True if it ended because a part of the app is broken, not because of data, a rule or a right.
    bool own_fault() const;
};

}  // namespace svc::devapi::verification
