// Webhooks that come in, in the OpenAPI document.
#pragma once

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

bool takes_hooks(const plan::Plan& plan);

// Adds a path for each, with the headers that its scheme signs with, where the app has any.
void put_hooks(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas);

}  // namespace svc::emit
