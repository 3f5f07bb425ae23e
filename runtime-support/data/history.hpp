// The history of a row: GET …/<id>/history.
#pragma once

#include "data/call.hpp"

namespace svc::data {

// For administrators and servers, of rows that are there and of rows that are deleted. Columns that
// the caller may not read are left out. Answers as the actions do.
Task<Handled> answer_history(const Call& call);

}  // namespace svc::data
