// Whether a process of the same machine has ended, as the kernel says. A lock that is gone does not
// prove it: a start of PostgreSQL takes the locks of all processes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace svc::run {

// A process as others of its machine find it.
struct ProcessLife {
    // One start of one machine, with its namespaces of pids and of time. Empty: /proc does not show
    // this process its own namespace, so no process can find another one by this.
    std::string machine;
    pid_t pid = 0;
    std::uint64_t ticks = 0;  // when it began: a later process with the same pid has other ticks
};

ProcessLife own_life();

// Has this process of the caller's machine ended? Also false if /proc cannot tell.
bool has_ended(pid_t pid, std::uint64_t ticks);

}  // namespace svc::run
