// Scans an author's SQL before the grammar reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"

namespace svc::query {

// Characters of a name without quotes, as PostgreSQL's lexer has them.
inline bool starts_name(char c) {
    return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool continues_name(char c) { return starts_name(c) || base::is_digit(c) || c == '$'; }

// :name, colon included.
struct Placeholder {
    std::size_t at = 0;
    std::string name;
};

struct ScanResult {
    // Every :name outside of strings, quoted names, comments and dollar quotes; `::` is a cast.
    std::vector<Placeholder> placeholders;
};

// Follows PostgreSQL's lexer with standard_conforming_strings; its parameters are compared with
// PostgreSQL's own parser afterwards.
ScanResult scan(std::string_view sql);

}  // namespace svc::query
