// Checks that a result has the shape that the contract promises.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/expr/flow_type.hpp"

namespace svc::devapi::verification {

// Returns "", or the problem: "result.total is a text and not a whole number". Null is a value of
// every type.
std::string misshapen(const model::FlowType& type, const nlohmann::json& value,
                      const std::string& place = "result");

}  // namespace svc::devapi::verification
