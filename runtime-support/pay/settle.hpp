// The one way in which a card payment ends: the provider's session is fetched, and what it says is
// recorded. Nothing else is believed. However often it is called and by whom at once, an entry ends
// once.
#pragma once

#include <string>
#include <string_view>

#include "pay/checkout_session.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {

struct SettleOptions {
    std::string_view what;         // the reason: confirm, webhook, poll, checkout
    bool reported_failed = false;  // as judge() takes it
};

struct Settlement {
    Status status = Status::due;  // of the entry
    bool open = false;            // the customer may still pay at the session's address
};

// Refuses with STRIPE_NOT_CONNECTED, STRIPE_ERROR or PAYMENT_MISMATCH; the entry stays as it was
// then.
Task<identity::Result<Settlement>> settle(const PayContext& in, const Entry& entry,
                                          SettleOptions how);

}  // namespace svc::pay
