// The standard pages of an app as its contract would say them.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

// The value of "pages", laid out; null if the contract has pages of its own.
std::string pages_json(const plan::Plan& plan);

}  // namespace svc::emit
