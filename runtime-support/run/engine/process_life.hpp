// Whether a process of the same machine has ended, seen without PostgreSQL: a lock that is gone
// does not say it right after a start of PostgreSQL, which takes the locks of all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace svc::run {

// A process as others of its machine find it.
struct ProcessLife {
    // One start of one machine, and there one namespace of process numbers. Empty: in that /proc
    // does not show it, so nobody can look.
    std::string machine;
    pid_t pid = 0;
    std::uint64_t ticks = 0;  // when it began; another process with its number has others
};

ProcessLife own_life();

// Has this process of the caller's machine ended? False also where that cannot be seen.
bool has_ended(pid_t pid, std::uint64_t ticks);

}  // namespace svc::run
