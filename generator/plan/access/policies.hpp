// Policies of tables.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/access.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

// The condition of the operation's policy, with the table's own name, and without the condition on
// the owner of a new row.
std::string policy_predicate(const model::Model& model, const model::Entity& entity,
                             Operation operation);

// Policies of the table, and the functions they call where a condition looks at other rows: those
// run with the owner's rights and answer yes or no only.
std::vector<Routine> plan_policies(const model::Model& model, const model::Entity& entity);
// The function that feeds ask (svc.may_read_rows) who of many callers may read a row: what the
// policy says, with the values of each caller in the place of those of the exchange.
Routine plan_readers(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
