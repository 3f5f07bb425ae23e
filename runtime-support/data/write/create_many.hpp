// Creates beyond the plain one: arrays of rows, rows that may be there already (?onConflict=…), and
// requests that must not be done twice (Idempotency-Key).
#pragma once

#include "data/call.hpp"

namespace svc::data::write {

// Answers the exchange, unless the session has ended.
Task<Handled> create_many(const Call& call);

}  // namespace svc::data::write
