// schema.sql: the database that a plan wants, as one text for readers. The migration works from the
// plan itself and makes only what is missing.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

std::string schema_sql(const plan::Plan& plan);

}  // namespace svc::emit
