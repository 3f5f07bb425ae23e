// Tables of a plan as temporary ones, in which statements can be tried.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::query {

// Types and the primary key are all that preparing looks at; a value of a computed column is never
// asked for, only that nobody sends one.
std::string temporary_table(const plan::Table& table);

}  // namespace svc::query
