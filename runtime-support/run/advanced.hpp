// What svc.advance answered for a run.
#pragma once

#include <string>

namespace svc::run {

struct Advanced {
    bool given = false;  // false: it was not advanced
    std::string state, path, status, text;
    std::string bound = {};    // seconds that the next one may take; empty: any time
    std::string problem = {};  // where it was not given for good: why
};

}  // namespace svc::run
