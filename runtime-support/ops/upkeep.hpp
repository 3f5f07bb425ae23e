// The regular maintenance that an app server does for its database.
#pragma once

#include <chrono>

#include "db/pool.hpp"
#include "identity/key/key_store.hpp"

namespace svc::ops {

// Deletes expired data (changes, deleted rows, runs, deliveries, notifications) every `pause`,
// until `io` or `system` is destroyed. Any number of servers may do it at the same time. A failure
// is logged, concerns no other kind of data, and the work is tried again.
Task<> keep_up(asio::io_context& io, db::Pool& system, std::chrono::milliseconds pause);

// Reads the app's keys again every `pause`, until `io` or `system` goes. svcd reports a change
// faster, but not to servers that it did not start; and a server's reading may have failed then.
Task<> keep_keys(asio::io_context& io, db::Pool& system, identity::KeyStore& keys,
                 std::chrono::milliseconds pause);

}  // namespace svc::ops
