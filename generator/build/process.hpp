// One child program, bounded in address space, size of files, processor time, wall time and output.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace svc::build {

// The kinds of programs in a sandbox. The kind decides the user and the limit of processes.
enum class ProgramKind {
    compiler,
    node,     // has many threads
    browser,  // besides has the network, and what a browser needs of the machine
};

struct Child {
    std::vector<std::string> argv;  // the program's path first
    std::string folder;             // where it runs
    unsigned memory_mb = 2048;      // address space of each process
    unsigned seconds = 120;         // wall time; processor time of each process
    bool sandbox = false;           // see sandbox.hpp
    std::string writable = {};      // its TMPDIR; in the sandbox what else it may write to: nothing
    std::vector<std::string> readable =
        {};  // what it sees in the sandbox beside the system's programs
    ProgramKind kind = ProgramKind::compiler;
};

struct Ended {
    bool ok = false;         // exited with 0
    bool timed_out = false;  // stopped by us
    int signal = 0;          // that ended it, or 0
    std::string output;      // of both streams, at most kMaxOutput bytes of it
};

inline constexpr std::size_t kMaxOutput = std::size_t{64} * 1024;

// Runs the program to its end with no input, a clean environment and no descriptor of the parent.
// Kills the processes that it leaves running. Blocks. Throws std::system_error when no process can
// be made.
Ended run(const Child& child);

}  // namespace svc::build
