// JSON that this server made itself. Around values that callers sent, each as deep as any may be,
// it has levels of its own; and what workflows or SQL stored may be deeper.
#pragma once

#include "json/value.hpp"

namespace svc::json {

inline constexpr unsigned kOwnDepth = 1000;

// As parse(), up to kOwnDepth levels.
Parsed parse_own(std::string_view text);

}  // namespace svc::json
