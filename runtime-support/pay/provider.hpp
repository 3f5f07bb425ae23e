// Calls of the card provider: a server that speaks Stripe's API of checkout sessions. No lock and
// no transaction is held while one is under way.
#pragma once

#include <optional>
#include <string>

#include "http/task.hpp"
#include "identity/result.hpp"
#include "pay/checkout_session.hpp"
#include "pay/entry.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {

// The project's secrets CARD_API_BASE and CARD_SECRET_KEY.
struct Provider {
    std::string base;  // without /v1 and a slash at its end
    std::string key;
};

// Nothing: no provider is connected, or its key may not be sent to its host.
Task<identity::Result<std::optional<Provider>>> provider_of(const PayContext& in);

// CONFLICT: another request is at it.
identity::Refusal paid_by_another();

// Opens the session of a card payment: the same one however often it is called for one entry.
// Nothing: the provider failed, which is logged. Refuses while another request opens it.
Task<identity::Result<std::optional<CheckoutSession>>> open_session(const PayContext& in,
                                                                    const Provider& provider,
                                                                    const Entry& entry);
Task<std::optional<CheckoutSession>> fetch_session(const PayContext& in, const Provider& provider,
                                                   const std::string& session);
// Expires a session so that nobody can pay with it. A failure does not matter, because nobody got
// the session's address.
Task<> expire_session(const PayContext& in, const Provider& provider, const std::string& session);

}  // namespace svc::pay
