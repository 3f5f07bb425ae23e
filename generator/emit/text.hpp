// Prints plan values as C++ text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace svc::emit {

// An escaped string literal: the only way for a contract's words into C++.
std::string cpp_literal(std::string_view text);
// The literal over several source lines, one for each line of text.
std::string cpp_lines(std::string_view text);
// SQL as one raw literal with broken long lines and a delimiter that does not occur in it; as an
// escaped literal if it contains more than printable ASCII.
std::string sql_literal(std::string_view sql);
// svc::kEveryone, svc::kNobody, "svc::kEveryone & ~svc::principal::kServer" or the names of the
// bits: "to::clerk | svc::principal::kServer".
std::string principals(std::uint64_t bits, const std::vector<std::string>& names);

}  // namespace svc::emit
