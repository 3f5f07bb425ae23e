// The results and needs of the outermost part of a statement.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "query/read/walk.hpp"

namespace svc::query {

// Where each column of the result is written: of the select itself, of the first one of a union, or
// of RETURNING. Empty if a star stands among them; 0: not known.
std::vector<std::size_t> columns_of(const nlohmann::json& statement);
// The columns that `on conflict` names; `at` is the place of the statement.
std::optional<Conflict> conflict_of(const nlohmann::json& insert, std::size_t at);

}  // namespace svc::query
