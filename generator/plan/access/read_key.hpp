// Conditions that can hold only where a column has a value of the caller's: feeds find those whom a
// row concerns by a hash of the column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The caller's id, organisation or address; nothing if the expression is none of these.
std::optional<ReadKey::Of> key_of_caller(const model::Expr& expr);
// The name of the column that the last step reaches, if feeds read it as the text that it is
// compared by. A step over a relation reaches the id of its rows.
std::optional<std::string> key_column(const model::Model& model, const model::Step& last);

// The condition holds only where one of these holds. Nothing if that is not known.
std::optional<std::vector<ReadKey>> keys_of(const model::Model& model,
                                            const model::Expr& condition);

// The keys of conditions that all hold: the smallest set of keys that one of them has.
std::optional<std::vector<ReadKey>> keys_of_all(const model::Model& model,
                                                const std::vector<const model::Expr*>& conditions);

}  // namespace svc::plan
