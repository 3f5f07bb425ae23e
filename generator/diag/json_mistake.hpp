// The finding for a text that is not JSON. The generator and the client use it.
#pragma once

#include <cstddef>
#include <string_view>

#include "diag/finding.hpp"

namespace svc::diag {

// The finding SYNTAX with its place and, for common mistakes, the fix. `read`: the number of bytes
// that the parser read; the last one caused the error. `words`: the message of nlohmann's parser.
Finding json_mistake(std::string_view text, std::size_t read, std::string_view words);

}  // namespace svc::diag
