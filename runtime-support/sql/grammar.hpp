// PostgreSQL's own grammar, as the library libpg_query holds it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace svc::sql {

struct SyntaxError {
    std::string message;  // PostgreSQL's: syntax error at or near "fro"
    std::size_t at = 0;   // byte
};

// Statements, each {"stmt": {"SelectStmt": {…}}, "stmt_location": byte, "stmt_len": bytes}; members
// that are 0 are left out, a length of 0 is all the rest. Null if the tree is too large. `sql`
// must be UTF-8 without U+0000, and of 16 KiB at most: trees are made on the stack, as deep as it
// is long.
std::optional<nlohmann::json> parse_sql(const std::string& sql, SyntaxError& error);

// Byte of the character number `position`, from 1, which is how PostgreSQL counts.
std::size_t byte_of(std::string_view text, int position);

}  // namespace svc::sql
