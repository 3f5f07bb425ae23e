// Connectors as the app's server reads them.
#pragma once

#include <string>

#include "model/model.hpp"

namespace svc::plan {

// JSON (runtime-support/connector/connectors.hpp); empty if the contract has none. Whom an action
// is allowed to is a set of bits, in decimal digits.
std::string connectors_document(const model::Model& model);

}  // namespace svc::plan
