// The contract of a sample, as text.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "paths.hpp"

namespace svc::tests {

// `name`: a folder of samples/.
inline std::string sample_text(const std::string& name) {
    std::ifstream in(SVC_SOURCE_DIR "/samples/" + name + "/svc.json");
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace svc::tests
