// Breaks SQL into lines that a reader can follow.
#pragma once

#include <string>
#include <string_view>

namespace svc::emit {

// The same statements with long lines broken: before a clause or a connective, else after a comma,
// outside of as many parentheses as possible. Quoted text and comments are not broken, so some
// lines stay long. Returns the text unchanged if it has dollar quotes other than the one body of a
// definition, backslashes, or comments in /* */.
std::string sql_lines(std::string_view sql);

}  // namespace svc::emit
