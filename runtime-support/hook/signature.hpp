// Signatures of webhooks: those of incoming calls are verified, those of outgoing calls are made.
// Sources: Standard Webhooks 1.0, and the pages of GitHub, Stripe, Slack and Shopify on verifying
// theirs.
#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "http/exchange.hpp"

namespace svc::hook {

enum class Scheme : std::uint8_t { svc, standard, github, stripe, slack, shopify, none };

// The service makes the secret itself and accepts no other. So a secret that svc makes cannot
// verify its calls.
constexpr bool brings_its_secret(Scheme scheme) {
    return scheme == Scheme::stripe || scheme == Scheme::slack || scheme == Scheme::shopify;
}
// What the operator must do if the contract names no secret for such a scheme; empty: nothing.
std::string secret_note(Scheme scheme);

// How many seconds the time of a signature may differ from ours.
inline constexpr std::time_t kTolerance = 300;

// True if one of the secrets made a signature of the head. Takes equally long for each wrong one. A
// scheme that signs the time requires a current time.
bool verified(Scheme scheme, const http::Head& head, std::string_view body,
              const std::vector<std::string>& secrets, std::time_t now);

// True if the call carries one of the secrets itself, in x-svc-webhook-secret: for senders that
// cannot sign.
bool carries(const http::Head& head, const std::vector<std::string>& secrets);

// The header webhook-signature of Standard Webhooks: one signature a secret.
std::string signature(std::string_view id, std::string_view time, std::string_view body,
                      const std::vector<std::string>& secrets);

// whsec_…, new.
std::string new_secret();

}  // namespace svc::hook

// As contracts and svc.hook_in name them.
template <>
struct svc::base::Words<svc::hook::Scheme> {
    static constexpr std::array<std::string_view, 7> kAll = {
        "svc", "standard", "github", "stripe", "slack", "shopify", "none"};
};
