// Payments: what the database goes by (runtime-support/schema/payments.sql), and the trigger that
// keeps lines of an order as they are while it is paid, and as they were paid for.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/database.hpp"

namespace svc::plan {

// What svc.set_payments() takes; "null" where the contract has none.
std::string payments_json(const model::Model& model);

// Of the entity of the lines; none of any other.
std::vector<Routine> plan_payment_lines(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
