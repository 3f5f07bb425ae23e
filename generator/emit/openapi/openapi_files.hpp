// The routes of files, in the OpenAPI document of an app that has fields for files or limits of
// them.
#pragma once

#include "emit/json_page.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

bool has_files(const plan::Plan& plan);
void put_files(const plan::Plan& plan, const Json& answers, Json& paths, Json& schemas);

}  // namespace svc::emit
