// Parameters that several data routes read from the query string. Every error is 400.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/filter/filter.hpp"

namespace svc::data {

// A whole number from `least` on; one beyond `most` counts as `most`.
struct WholeRange {
    std::uint64_t fallback, least, most;
};
Result<std::uint64_t> whole_param(std::string_view query, std::string_view name, WholeRange range);

// Nothing if the parameter is missing.
Result<std::optional<json::Value>> json_param(std::string_view query, std::string_view name);

// `where` and `filter` as one SQL condition, its values bound in `text`; empty: no condition.
Result<std::string> condition_params(const filter::FilterScope& scope, std::string_view query,
                                     QueryText& text);

}  // namespace svc::data
