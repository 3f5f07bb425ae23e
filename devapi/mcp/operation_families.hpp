// The parts of operations(), and the inputs that several of them share.
#pragma once

#include <span>
#include <string_view>

#include "mcp/operations.hpp"

namespace svc::devapi {

// Inputs.
inline constexpr std::string_view kNone = "";
inline constexpr std::string_view kEnv =
    R"("env":{"type":"string","enum":["dev","prod"],"description":"the environment; the default is dev"})";

std::span<const Operation> contract_operations();
std::span<const Operation> row_operations();
std::span<const Operation> release_operations();
std::span<const Operation> event_operations();

}  // namespace svc::devapi
