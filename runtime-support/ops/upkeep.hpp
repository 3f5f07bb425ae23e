// What an app server does for its database from time to time.
#pragma once

#include <chrono>

#include "db/pool.hpp"
#include "identity/key_store.hpp"

namespace svc::ops {

// Throws away what nobody may ask for any more (changes, deleted rows, deliveries, notifications),
// every `pause`, until `io` or `system` goes. Any number of servers may do it at the same time.
// What fails is logged and tried again.
Task<> keep_up(asio::io_context& io, db::Pool& system, std::chrono::milliseconds pause);

// Reads the app's keys again every `pause`, until `io` or `system` goes. svcd's word about a change
// is faster, but it does not reach servers that svcd did not start, nor one whose reading failed
// then.
Task<> keep_keys(asio::io_context& io, db::Pool& system, identity::KeyStore& keys,
                 std::chrono::milliseconds pause);

}  // namespace svc::ops
