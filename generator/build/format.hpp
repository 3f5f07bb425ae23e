// Generated C++ as a person would lay it out: clang-format with the project's own style.
#pragma once

#include <string>

#include "emit/file_set.hpp"

namespace svc::build {

// The files with their C++ formatted; as they were where clang-format is not installed. What was
// formatted before is taken from `cache`. Blocks.
emit::FileSet formatted(const emit::FileSet& files, const std::string& cache);

}  // namespace svc::build
