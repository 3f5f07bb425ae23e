// The routes of payments in the OpenAPI document.
#pragma once

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

// The app has payments.
bool takes_payments(const plan::Plan& plan);

// Adds its paths and schemas, if it has.
void put_payments(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas);

}  // namespace svc::emit
