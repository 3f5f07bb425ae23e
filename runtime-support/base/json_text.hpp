// Text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// Appends `text` with its quotes. What is not UTF-8 becomes U+FFFD: the output is always valid
// JSON.
void append_json(std::string& out, std::string_view text);

std::string json_string(std::string_view text);

// "name":"text"
void append_json_member(std::string& out, std::string_view name, std::string_view text);

// As append_json, but for text that is known to be UTF-8, such as PostgreSQL's. Used on the hot
// path.
void append_json_utf8(std::string& out, std::string_view text);

}  // namespace svc::base
