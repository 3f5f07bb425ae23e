// Parameters of a query string, by their kinds. Errors are 400 PARAMS_INVALID.
#pragma once

#include <cstdint>
#include <optional>

#include "data/query_text.hpp"
#include "json/value.hpp"

namespace svc::data {

// A whole number from `least` on; one beyond `most` counts as `most`.
Result<std::uint64_t> whole_param(std::string_view query, std::string_view name,
                                  std::uint64_t fallback, std::uint64_t least, std::uint64_t most);

// Nothing where the parameter is missing.
Result<std::optional<json::Value>> json_param(std::string_view query, std::string_view name);

}  // namespace svc::data
