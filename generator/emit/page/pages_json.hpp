// The standard pages of an app in the form of a contract.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace svc::emit {

// The value of "pages", laid out; null if the contract has pages of its own.
std::string pages_json(const plan::Plan& plan);

}  // namespace svc::emit
