// A claim about what came out. A fuzzer ends where it does not hold.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace svc::fuzz {

inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

}  // namespace svc::fuzz
