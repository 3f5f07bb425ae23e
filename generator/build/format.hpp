// Generated C++ as a person would lay it out: clang-format with the project's own style.
#pragma once

#include <string>

#include "build/build.hpp"
#include "emit/file_set.hpp"

namespace svc::build {

// The files with their C++ formatted; as they were where clang-format is not installed. What was
// formatted before is taken from the cache. Blocks.
emit::FileSet formatted(const emit::FileSet& files, const Settings& settings);

}  // namespace svc::build
