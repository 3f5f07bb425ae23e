// Functions, workflows and webhooks as the database interprets them.
#pragma once

#include <pqxx/pqxx>

#include "plan/plan.hpp"

namespace svc::migrate {

// Within the apply's transaction, as the owner: these are live from its commit on; runs that are
// under way keep the definitions that they began with.
void set_flows(pqxx::transaction_base& tx, const plan::Plan& plan);

}  // namespace svc::migrate
