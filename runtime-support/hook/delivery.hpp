// One attempt to send an event to an outgoing webhook.
#pragma once

#include <string>

#include "db/pool.hpp"
#include "hook/counts.hpp"
#include "outgoing/calls.hpp"
#include "svc/app.hpp"

namespace svc::hook {

// The services that attempts use. Outlives them.
struct DeliveryContext {
    const App& app;
    db::Pool& data;  // reads rows as callers' statements do
    db::Pool& system;
    outgoing::Calls& calls;
    const std::string secret;                    // Settings::secret
    const outgoing::AllowedHosts allow_private;  // Settings::allow_private
    Counts& counts;
};

// A delivery as svc.claim_deliveries() returns it.
struct Delivery {
    std::string id, hook, event, table, row_id;
    std::string row;  // as it was written, all columns; empty: it is not known
    std::string at;
    std::string attempt;  // a number, from 1
    std::string url, secret_name;
};

// The outcome of an attempt.
struct Attempt {
    int status = 0;      // 0: there was no answer
    std::string error;   // a sentence; empty if the delivery was accepted
    unsigned pause = 0;  // seconds that the receiver wants us to wait; 0: it says nothing
    bool made = false;   // false: our own database did not answer, and nobody was called
};

// Standard Webhooks: POST with webhook-id, -timestamp and -signature, a body of {id, event, at,
// table, row}. The row has what a server key may read of it; if a server key may not read the row,
// it has only the id.
Task<Attempt> deliver(const DeliveryContext& in, const Delivery& delivery);

}  // namespace svc::hook
