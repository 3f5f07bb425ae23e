// The options of a list of linked rows: `links={"lines": {"where", "filter", "sort", "limit"}}`
// beside `select`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "data/select/selection.hpp"

namespace svc::data::select {

// Links have the names of the answer, joined by dots: lines.parts.
struct LinkScope {
    PrincipalSet principals;
    std::string_view timezone;  // of days, weeks, months, unless the request has `tz`: IANA
};

// Completes `members` by the parameter `links` of `query`, if it is there; values are bound in
// `text`. Errors are 400: those of a list's parameters, and PARAMS_INVALID for what was not
// selected or leads to one row.
std::optional<Error> read_link_options(const LinkScope& scope, std::string_view query,
                                       std::vector<Selected>& members, QueryText& text);

}  // namespace svc::data::select
