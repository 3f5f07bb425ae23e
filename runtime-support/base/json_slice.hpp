// Walking over JSON text without building anything of it: values by their exact bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace svc::base {

// The white space of JSON.
inline constexpr std::string_view kJsonSpace = " \t\r\n";

std::string_view skip_space(std::string_view text);

// The value that `text` begins with (white space before it is skipped), of any depth and without
// recursion; `text` is moved past it. The text must be JSON. For other text the result is some part
// of it.
std::string_view take_value(std::string_view& text);

// Moves `text` past white space and the character, if it is next.
bool take(std::string_view& text, char c);

// The index after the closing quote of the string that begins at `at`, or the text's end.
std::size_t string_end(std::string_view text, std::size_t at);

}  // namespace svc::base
