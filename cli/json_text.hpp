// JSON as text: numbers keep every digit and members their order, which a parsed document would
// lose.
#pragma once

#include <string>
#include <string_view>

namespace svc::cli {

// The text of the member `key` of an object; empty if there is none. `object` must be valid
// JSON.
std::string_view member_text(std::string_view object, std::string_view key);

// The same JSON, one member or element a line, two spaces a level. `text` must be valid JSON.
std::string indented(std::string_view text);

}  // namespace svc::cli
