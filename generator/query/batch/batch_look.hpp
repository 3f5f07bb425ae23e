// Checks a developer's statement by its syntax tree against lists of allowed nodes, functions,
// types and operators. PostgreSQL resolves what the grammar does not show (resolved_check.hpp).
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace svc::query {

struct StatementCheck {
    std::string refused;              // empty: taken
    std::size_t at = 0;               // byte of the statement
    bool writes = false;              // by its own words
    std::set<std::string> own_types;  // cast to, and none of PostgreSQL's: must be enumerations
};

// `statement` is the node under "stmt": of the kinds that a batch is made of.
StatementCheck look_at(const nlohmann::json& statement);

// SELECT, INSERT, UPDATE, DELETE, MERGE.
bool is_row_statement(const std::string& kind);

}  // namespace svc::query
