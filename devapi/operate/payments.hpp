// The ledger of an app's payments, for developers. Blocking; `database` is an administrator
// connection.
#pragma once

#include <optional>
#include <string>

#include "pay/status.hpp"

namespace svc::devapi {

struct PaymentsRequest {
    std::optional<pay::Status> status;  // none: all
    std::string order;                  // an order's id: its entries alone; empty: all
    std::string before;                 // an entry's id: older ones alone
    int limit = 30;
};

// [{id, table, orderId, method, provider, status, amountCents, currency, note, createdAt,
// endedAt}], the newest first.
std::string payments_json(const std::string& database, const PaymentsRequest& wanted);

// One entry as above, with session, sessionExpiresAt, nextPollAt, settledBy, actorId, the lines
// that were frozen, and events: [{at, status, what, actorId, detail}]. Nothing: there is none.
std::optional<std::string> payment_json(const std::string& database, const std::string& id);

struct PaymentEnd {
    std::optional<pay::Status> status;  // that it has then; none: there is no such entry
    bool ended = false;                 // by this call
};
// Records a card payment that is under way as failed, without asking the provider. `who`: for its
// history; `note`: what the customer reads, or empty.
PaymentEnd end_payment(const std::string& database, const std::string& id, const std::string& who,
                       const std::string& note);

// False if an earlier compiler built the app.
bool has_payments(const std::string& database);
bool can_end_payments(const std::string& database);

}  // namespace svc::devapi
