// Writes of rows by a request. Each answers the exchange; true: the caller's session has ended, and
// nothing was answered.
#pragma once

#include "data/call.hpp"

namespace svc::data::write {

Task<bool> create_row(const Call& call);
Task<bool> update_row(const Call& call);
Task<bool> remove_row(const Call& call);
Task<bool> move_row(const Call& call);  // a transition of its lifecycle

}  // namespace svc::data::write
