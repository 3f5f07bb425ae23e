// Writes values that PostgreSQL prints as JSON.
#pragma once

#include <string>
#include <string_view>

namespace svc::json {

// "2026-11-21 02:00:32.5+00", as PostgreSQL prints a moment, as "2026-11-21T02:00:32.5Z". What is
// not of this form (infinity, years before Christ) stays PostgreSQL's text.
void append_timestamp(std::string& out, std::string_view text);

}  // namespace svc::json
