// Text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// Appends `text` with its quotes. What is not UTF-8 becomes U+FFFD: the output is always valid
// JSON.
void append_json(std::string& out, std::string_view text);

// The same of text that is known to be UTF-8, as what PostgreSQL sends is: on the hot path.
void append_json_utf8(std::string& out, std::string_view text);

}  // namespace svc::base
