// Reads the parts of a statement from its syntax tree.
#pragma once

#include <nlohmann/json.hpp>

#include "data/sql/reading.hpp"

namespace svc::data::sql {

// `statement` is the node under "stmt", of a tree that is bounded (sql/grammar.hpp).
Result<Reading> read_tree(const nlohmann::json& statement);

}  // namespace svc::data::sql
