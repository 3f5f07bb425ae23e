// Starts of a workflow by a change of a row: created, updated, deleted, moved, paid.
#pragma once

#include <vector>

#include "verify/flow/flow_starts.hpp"

namespace svc::devapi::verification {

// `most` at most; none if the trigger's entity has no table here.
std::vector<FlowStart> row_starts(Subject& subject, const model::Workflow& workflow,
                                  std::size_t most);

}  // namespace svc::devapi::verification
