// The finding for a text that is not JSON. The generator and the client use it.
#pragma once

#include <cstddef>
#include <string_view>

#include "diag/finding.hpp"

namespace svc::diag {

// SYNTAX, with its place and, where people are known to write it, the fix. `read`: bytes that the
// parser took in, the last of which it stumbled over. `words`: what nlohmann's parser said.
Finding json_mistake(std::string_view text, std::size_t read, std::string_view words);

}  // namespace svc::diag
