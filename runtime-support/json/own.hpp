// Reads JSON that this server made itself. It has levels around values that callers sent. Values
// that workflows or SQL stored may be deeper than a request may be, and a column of type json may
// hold an object with a member twice. So nobody looks for those.
#pragma once

#include "json/value.hpp"

namespace svc::json {

inline constexpr unsigned kOwnDepth = 1000;

// As parse(), up to kOwnDepth levels. Of members with the same name, find() gives the first.
Parsed parse_own(std::string_view text);

}  // namespace svc::json
