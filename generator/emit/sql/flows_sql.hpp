// flows.sql: what functions and workflows do, for readers.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

std::string flows_sql(const plan::Plan& plan);

}  // namespace svc::emit
