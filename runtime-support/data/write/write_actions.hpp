// Writes of rows by a request. Each answers the exchange, unless the session has ended.
#pragma once

#include "data/call.hpp"

namespace svc::data::write {

Task<Handled> create_row(const Call& call);
Task<Handled> update_row(const Call& call);
Task<Handled> remove_row(const Call& call);
Task<Handled> move_row(const Call& call);     // a transition of its lifecycle
Task<Handled> restore_row(const Call& call);  // that was deleted

}  // namespace svc::data::write
