// Reads files of another process in /proc. The process may end at any time, also between opening
// and reading a file (ESRCH), where a file stream would throw.
#pragma once

#include <sys/types.h>

#include <string>

namespace svc::devapi {

// The file /proc/<pid>/<name>, whole; what was read of it before the process ended, and empty where
// it is gone already or may not be read. Never throws for the process's sake.
std::string process_file(pid_t pid, const char* name);

// Where the link /proc/<pid>/<name> leads; empty as above.
std::string process_link(pid_t pid, const char* name);

// The binary that it runs; empty as above. The binary's name holds its hash: one that was deleted
// and built again is the same.
std::string executable_of(pid_t pid);

}  // namespace svc::devapi
