// Functions, workflows and notifications in the OpenAPI document.
#pragma once

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

// Adds their paths and schemas, where the app has any.
void put_flows(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas);

}  // namespace svc::emit
