// The routes of payments in the OpenAPI document.
#pragma once

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

// True if the app has payments.
bool takes_payments(const plan::Plan& plan);

// Adds the paths and schemas of payments, if the app has any.
void put_payments(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas);

}  // namespace svc::emit
