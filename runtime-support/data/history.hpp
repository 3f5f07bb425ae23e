// The history of a row: GET …/<id>/history.
#pragma once

#include "data/call.hpp"

namespace svc::data {

// Answers the history of a row that is there or deleted, to administrators and servers. Leaves out
// columns that the caller may not read. Returns the same results as the actions.
Task<Handled> answer_history(const Call& call);

}  // namespace svc::data
