// Groups the sources that are compiled together. One compiler run for a few sources costs much less
// than one for each; a change should still recompile few.
#pragma once

#include <string>
#include <vector>

#include "emit/file_set.hpp"

namespace svc::build {

struct Chunk {
    std::vector<std::string> sources;  // paths in the FileSet
    std::string key;                   // hash of all that its object depends on
};

// The files that a source embeds unchanged (`.incbin "openapi.json"`).
std::vector<std::string> embedded_by(const emit::FileSet& files, const std::string& path);

// At least `least` chunks where there are as many sources. Their ends depend only on the names of
// the files, so a new file changes one chunk. `base` is hashed into every key.
std::vector<Chunk> chunks_of(const emit::FileSet& files, std::size_t least,
                             const std::string& base);

}  // namespace svc::build
