// Walking over JSON that PostgreSQL or our own printers made, without building anything of it.
#pragma once

#include <string_view>

namespace svc::json {

// The value that `text` begins with (white space before it is skipped), of any depth; `text` is
// moved past it. The text must be JSON: of anything else this may be any part, never more.
std::string_view take_value(std::string_view& text);

// Moves `text` past white space and the character, where it is next.
bool take(std::string_view& text, char c);

}  // namespace svc::json
