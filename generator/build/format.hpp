// Formats generated C++ with clang-format and the project's own style.
#pragma once

#include <string>

#include "build/build.hpp"
#include "emit/file_set.hpp"

namespace svc::build {

// Returns the files with formatted C++; unchanged if clang-format is not installed. Uses the cache
// for files that were formatted before. Blocks.
emit::FileSet formatted(const emit::FileSet& files, const Settings& settings);

}  // namespace svc::build
