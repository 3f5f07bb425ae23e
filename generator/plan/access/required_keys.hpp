// What must be the caller's on a row that a condition leads to: wherever the condition is true, one
// of some columns of that row has a value of the caller's.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The steps from a row to others.
using Way = std::vector<model::Step>;
Way joined(Way way, const Way& more);
// A name of the row that the first `count` steps lead to. Nothing: they lead to several rows.
std::optional<std::string> row_name(const Way& way, std::size_t count);

bool is_row_path(const model::Expr& expr);

using KeyList = std::vector<ReadKey>;
// The keys of each row, by row_name().
using RequiredKeys = std::map<std::string, KeyList>;
// `way` leads to the row that the condition is about.
RequiredKeys required_keys(const model::Model& model, const model::Expr& condition, const Way& way);

}  // namespace svc::plan
