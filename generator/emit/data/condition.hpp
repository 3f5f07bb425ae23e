// Prints conditions of the server as C++ that calls the functions of svc/predicate.hpp.
#pragma once

#include <string>

#include "plan/condition/tree.hpp"

namespace svc::emit {

// row.text(field::customer_id) == viewer.id
std::string condition_text(const plan::Condition& condition);
// The C++ test that `who` and the condition both hold; empty: always. `who`: a C++ test, or empty.
// Null means no condition.
std::string guarded_text(const std::string& who, const plan::ConditionPtr& condition);

}  // namespace svc::emit
