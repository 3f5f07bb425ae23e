// The temporary tables and functions with which statements of functions and workflows are tried.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/database.hpp"

namespace svc::query {

// The type of their only parameter, the context of a run: jsonb.
inline constexpr std::uint32_t kContextType = 3802;

// Statements for ScratchConnection::make_tables. `values` is
// runtime-support/schema/run/flow_values.sql. What is tried there is first sent through
// in_temporary().
std::string flow_world(const std::vector<plan::Table>& tables,
                       const std::vector<plan::Routine>& routines, std::string_view values);

}  // namespace svc::query
