// Where a call of a named query has its parameters.
#pragma once

#include <string_view>

#include "data/query_text.hpp"

namespace svc::data {

// The text of the object that holds them, a part of `body` or "{}": the member "params", or the
// body itself. What is wrong within it is for its reader to say, as of the body itself.
Result<std::string_view> sent_params(std::string_view body);

}  // namespace svc::data
