// Words that are not plain names in SQL or C++.
#pragma once

#include <string_view>

namespace svc::plan {

// PostgreSQL 15 reserves it, fully or for types and functions.
bool is_sql_reserved(std::string_view word);
// A keyword, a macro of the standard headers, or a name that generated files use themselves.
bool is_cpp_reserved(std::string_view word);

}  // namespace svc::plan
