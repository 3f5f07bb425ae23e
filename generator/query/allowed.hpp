// What a named query may use. Whatever is not on these lists is refused: a query runs as its
// caller, and must not reach past row-level security, change settings, read files or run text as
// SQL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::query {

// PostgreSQL's built-in functions that only compute: none is volatile, none reads tables by name.
bool is_function(std::string_view name);
const std::vector<std::string>& functions();

// Types to cast to, by PostgreSQL's own name: int8, not bigint. None of them names a table or role.
bool is_type(std::string_view name);

// An operator by its symbol, without a schema; or a word of the grammar's that stands for some.
bool is_operator(std::string_view symbol);

// Nodes of PostgreSQL's syntax tree that need no look of their own.
bool is_plain_node(std::string_view kind);

}  // namespace svc::query
