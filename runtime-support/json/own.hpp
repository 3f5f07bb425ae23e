// Reads JSON that this server made itself. It has levels around values that callers sent, and
// values that workflows or SQL stored may be deeper than a request may be.
#pragma once

#include "json/value.hpp"

namespace svc::json {

inline constexpr unsigned kOwnDepth = 1000;

// As parse(), up to kOwnDepth levels.
Parsed parse_own(std::string_view text);

}  // namespace svc::json
