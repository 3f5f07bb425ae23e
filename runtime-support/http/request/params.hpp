// The query parameters of a route. An unknown one is refused: if it were ignored, `?name=x` would
// answer every row.
#pragma once

#include <optional>
#include <string_view>

#include "http/error.hpp"
#include "svc/list.hpp"

namespace svc::http {

using ParamNames = List<std::string_view>;

// The first parameter of `query` that is not among `known`, or that is given twice: of two values a
// proxy may read one and we the other. None if all are valid. Names that begin with '_' are passed
// over, as are empty pairs. `field` is its name as sent, decoded; the error is PARAMS_INVALID and
// names the nearest known parameter and all known ones.
std::optional<Error> check_params(std::string_view query, ParamNames known);

}  // namespace svc::http
