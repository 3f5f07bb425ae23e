// Finds the parameters in the body of a call of a named query.
#pragma once

#include <string_view>

#include "data/query_text.hpp"

namespace svc::data {

// The text of the object that holds the parameters: the member "params" of `body`, or the whole
// body; "{}" if there is none. Its reader finds the mistakes in it.
Result<std::string_view> sent_params(std::string_view body);

}  // namespace svc::data
