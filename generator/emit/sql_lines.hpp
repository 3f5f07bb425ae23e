// SQL in lines that a reader can follow.
#pragma once

#include <string>
#include <string_view>

namespace svc::emit {

// The same statements with long lines broken: before a clause or a connective, else after a comma,
// outside of as many parentheses as possible. Quoted text and comments stay whole, so a line that
// has no other place stays long. Text with dollar quotes that are not the one body of a definition,
// with backslashes or with comments in /* */ is given back as it is.
std::string sql_lines(std::string_view sql);

}  // namespace svc::emit
