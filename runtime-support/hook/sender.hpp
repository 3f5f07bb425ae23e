// Sends the deliveries of svc.delivery in the background. Any number of servers of an app may do
// it: one server at a time tries a delivery, and another one continues if it was killed.
#pragma once

#include "feed/hub/commit_signal.hpp"
#include "hook/delivery.hpp"

namespace svc::hook {

// Until `io` or the pools go. Polls once a second where the app has outgoing webhooks, once in ten
// if it has none, and at each signal of `changes`. At most ten attempts are in flight for each
// webhook, so one that hangs holds up no other.
Task<> send_deliveries(asio::io_context& io, DeliveryContext in, feed::CommitSignal& changes);

}  // namespace svc::hook
