// Sessions of hosted payment pages, as Stripe's API has them, and what a session says about a
// payment. Source: Stripe's API reference, "The Checkout Session object".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pay/entry.hpp"

namespace svc::pay {

struct CheckoutSession {
    enum class Stage : std::uint8_t { open, complete, expired };
    enum class Money : std::uint8_t { unpaid, paid, no_payment_required };

    std::string id;
    std::optional<Stage> stage;          // its `status`; none: one that we do not know
    std::optional<Money> money;          // its `payment_status`; likewise
    std::string reference;               // client_reference_id
    std::string currency;                // in lower case; empty: it does not say
    std::optional<std::int64_t> amount;  // amount_total, as the provider counts
    std::string url;
    std::string intent_status;  // of its payment_intent, if that is shown; else empty
    std::int64_t expires = 0;   // Unix time; 0: it does not say
};

// Nothing if it is not a session.
std::optional<CheckoutSession> read_session(std::string_view json);

enum class Verdict : std::uint8_t { paid, failed, processing, mismatch };

// The state of an entry by its session. An expired session takes no money, so it only has to belong
// to this entry. Any other session must have the amount and the currency of the entry.
// `reported_failed`: the provider's signed webhook said that the transfer failed; it counts where
// the session is complete and unpaid.
Verdict judge(const CheckoutSession& session, const Entry& entry, bool reported_failed);

}  // namespace svc::pay

template <>
struct svc::base::Words<svc::pay::CheckoutSession::Stage> {
    static constexpr std::array<std::string_view, 3> kAll = {"open", "complete", "expired"};
};
template <>
struct svc::base::Words<svc::pay::CheckoutSession::Money> {
    static constexpr std::array<std::string_view, 3> kAll = {"unpaid", "paid",
                                                             "no_payment_required"};
};
