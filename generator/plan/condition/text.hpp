// C++ literals.
#pragma once

#include <string>
#include <string_view>

namespace svc::plan {

// An escaped string literal: the only way for a contract's words into C++.
std::string cpp_literal(std::string_view text);

}  // namespace svc::plan
