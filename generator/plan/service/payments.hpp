// Payments: the settings that the database uses (runtime-support/schema/payments.sql), and the
// trigger that protects the lines of an order during and after its payment.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/database.hpp"

namespace svc::plan {

// The argument of svc.set_payments(); "null" if the contract has no payments.
std::string payments_json(const model::Model& model);

// The routines of the entity of the lines; none for any other.
std::vector<Routine> plan_payment_lines(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
