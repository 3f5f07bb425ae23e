// Builds a binary from source files: runs the compiler and the linker with limits of memory and
// time, and caches objects by content hash.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "build/sandbox.hpp"
#include "diag/finding.hpp"
#include "emit/file_set.hpp"

namespace svc::build {

struct Settings {
    std::string
        toolchain;  // folder with include/, the precompiled header, libsvc_runtime.a, link.flags
    std::string cache;          // folder of objects and binaries by hash; may be shared by projects
    unsigned jobs = 0;          // compilers at a time; 0: a core each
    unsigned memory_mb = 2048;  // address space of one compiler
    unsigned seconds = 120;     // wall time of one compiler
    Sandbox sandbox = Sandbox::automatic;
    // The party that builds. Programs under Node.js run one at a time for each party
    // (gates/permit.hpp). Empty: the service itself, which has no such limit.
    std::string party = {};
};

enum class Stage : std::uint8_t { compile, link };

struct Result {
    bool ok = false;
    std::string binary;            // path in the cache; its name holds its hash
    Stage stage = Stage::compile;  // where !ok
    std::string error;             // the compiler's words, its places mapped back to contract paths
    double seconds = 0;
    unsigned units = 0;  // compiled or taken from the cache
    unsigned cached = 0;
};

// Blocks; call it from a worker thread.
Result compile(const emit::FileSet& files, const Settings& settings);

// The name that compile() gives the binary of these files. Equal names mean equal programs.
std::string binary_name(const emit::FileSet& files, const Settings& settings);

// The toolchain beside this program: <folder of the executable>/toolchain, or $SVC_TOOLCHAIN.
std::string default_toolchain();

}  // namespace svc::build

template <>
struct svc::base::Words<svc::build::Stage> {
    static constexpr std::array<std::string_view, 2> kAll = {"compile", "link"};
};
