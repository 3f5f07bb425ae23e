// Regular expressions of contracts, for readers other than PostgreSQL.
#pragma once

#include <optional>
#include <string>

namespace svc::emit {

// A text that `pattern` matches, where it means the same in PostgreSQL and in ECMAScript's Unicode
// mode, as JSON Schema has it; nothing if that is not sure.
std::optional<std::string> portable_example(const std::string& pattern);

}  // namespace svc::emit
