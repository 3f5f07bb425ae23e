// JSON as text: numbers keep every digit and members their order, which a parsed document would
// lose.
#pragma once

#include <string>
#include <string_view>

namespace svc::cli {

// The text of the member `key` of an object; empty if there is none. `object` must be valid
// JSON.
std::string_view member_text(std::string_view object, std::string_view key);

// The JSON with one member or element on each line, two spaces for each level. `text` must be valid
// JSON.
std::string indented(std::string_view text);

}  // namespace svc::cli
