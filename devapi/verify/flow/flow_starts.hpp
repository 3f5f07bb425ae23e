// Ways in which a workflow of the clone is started.
#pragma once

#include <string>
#include <vector>

#include "verify/subject.hpp"

namespace svc::devapi::verification {

// How a run begins. Texts are JSON.
struct FlowStart {
    std::string by;  // in words
    std::string trigger, given;
    std::string actor;     // an account; empty: nobody
    bool by_hand = false;  // `given` is an input that must fit the parameters
    bool fills = false;    // `given` is what the trigger adds to the defaults of the parameters
};

// Ways in which its trigger may begin a run, 40 at most.
std::vector<FlowStart> sample_starts(Subject& subject, std::size_t workflow);

}  // namespace svc::devapi::verification
