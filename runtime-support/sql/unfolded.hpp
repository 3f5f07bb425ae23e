// The size of SQL in the grammar's tree: of `(a, b, c) = (select …)` the tree holds the right side
// once for each column, and of assignments inside of each other once for each pair, and so on.
#pragma once

#include <cstddef>
#include <string>

namespace svc::sql {

// Counts, with PostgreSQL's own lexer, at least the bytes of the text with all that written out.
// Comparisons of rows look the same, so they count as well.
std::size_t unfolded_bytes(const std::string& sql);

}  // namespace svc::sql
