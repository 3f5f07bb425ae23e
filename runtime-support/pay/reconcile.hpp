// The only function that ends a card payment: it fetches the provider's session and records its
// state. No other report is trusted. Parallel and repeated calls end an entry once.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"
#include "pay/checkout_session.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {

enum class ReconcileReason : std::uint8_t { confirm, webhook, poll, checkout };

struct ReconcileOptions {
    ReconcileReason why;
    bool reported_failed = false;  // as judge() takes it
};

struct Reconciled {
    Status status = Status::due;  // of the entry
    bool open = false;            // the customer may still pay at the session's address
};

// Refuses with STRIPE_NOT_CONNECTED, STRIPE_ERROR or PAYMENT_MISMATCH; the entry stays as it was
// then.
Task<identity::Result<Reconciled>> reconcile(const PayContext& in, const Entry& entry,
                                             ReconcileOptions how);

}  // namespace svc::pay

// The words in the history of an entry.
template <>
struct svc::base::Words<svc::pay::ReconcileReason> {
    static constexpr std::array<std::string_view, 4> kAll = {"confirm", "webhook", "poll",
                                                             "checkout"};
};
