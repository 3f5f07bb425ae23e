// Text as a JSON string, for answers and log lines that are built by hand.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// Appends `text` with its quotes. What is not UTF-8 becomes U+FFFD: the output is always valid
// JSON.
void append_json(std::string& out, std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace svc::base
