// Conditions that can hold only where a column has a value of the caller's: feeds find those whom a
// row concerns by a hash of the column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The condition holds nowhere but where one of these does; nothing if that is not known.
std::optional<std::vector<ReadKey>> keys_of(const model::Model& model,
                                            const model::Expr& condition);

// The keys of conditions that all hold: the smallest set of keys that one of them has.
std::optional<std::vector<ReadKey>> keys_of_all(const model::Model& model,
                                                const std::vector<const model::Expr*>& conditions);

}  // namespace svc::plan
