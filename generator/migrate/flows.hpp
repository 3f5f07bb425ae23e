// Functions, workflows and webhooks as the database interprets them.
#pragma once

#include <pqxx/pqxx>

#include "plan/plan.hpp"

namespace svc::migrate {

// Writes the flows of the plan as the owner, within the apply's transaction. They are live from its
// commit on. Runs that are under way keep the definitions that they began with.
void set_flows(pqxx::transaction_base& tx, const plan::Plan& plan);

}  // namespace svc::migrate
