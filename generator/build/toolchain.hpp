// The toolchain of generated apps, made once beside the programs when svc itself is built.
#pragma once

#include <string>
#include <vector>

namespace svc::build {

struct Toolchain {
    std::string folder;
    std::string compiler;  // absolute path
    std::vector<std::string>
        compile_flags;  // those of the precompiled header, or it does not count
    std::vector<std::string> link_flags;
    std::string fingerprint;  // changes with the compiler, the headers, the library and the flags
};

// Throws std::runtime_error that names the missing file.
Toolchain load_toolchain(const std::string& folder);

}  // namespace svc::build
