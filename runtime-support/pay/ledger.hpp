// The functions of the ledger (schema/payments.sql) that the server calls in its own name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pay/checkout_session.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {

// A session was opened for the entry. False: the entry went on without it.
Task<identity::Result<bool>> record_session(const PayContext& in, const Entry& entry,
                                            const CheckoutSession& session);
// The entry is due offline, unless a session was opened for it meanwhile.
Task<identity::Result<Entry>> fall_back(const PayContext& in, const Entry& entry,
                                        std::string_view note);

struct EndedPayment {
    Status status = Status::due;
    bool now = false;  // by this call
};
// `what`: confirm, webhook, poll.
Task<identity::Result<EndedPayment>> end_payment(const PayContext& in, const Entry& entry,
                                                 Status status, std::string_view what);

// Nothing: no entry has this session.
Task<identity::Result<std::optional<Entry>>> entry_of_session(const PayContext& in,
                                                              std::string_view session);
// The entries to ask the provider about now. Each is given to one server.
Task<identity::Result<std::vector<Entry>>> claim_payments(const PayContext& in);

}  // namespace svc::pay
