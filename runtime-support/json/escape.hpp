// JSON strings on their way out.
#pragma once

#include <string>
#include <string_view>

namespace svc::json {

// Appends `text`, quoted and escaped.
void append_string(std::string& out, std::string_view text);

}  // namespace svc::json
