// What is to be known of an author's SQL before the grammar reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::query {

// :name, colon included.
struct Placeholder {
    std::size_t at = 0;
    std::string name;
};

struct Scanned {
    // Every :name outside of strings, quoted names, comments and dollar quotes; `::` is a cast.
    std::vector<Placeholder> placeholders;
    // Where (a, b, …) = of more than 32 columns begins. The grammar copies what is assigned for
    // each of them, so that a small text could become a tree of gigabytes.
    std::optional<std::size_t> wide_assignment;
};

// Follows PostgreSQL's lexer with standard_conforming_strings; what it takes for a parameter is
// held against PostgreSQL's own parser afterwards.
Scanned scan(std::string_view sql);

}  // namespace svc::query
