// Makes one call of a provider, from its budget to its answer. The routes and the steps of
// workflows share it.
#pragma once

#include <memory>

#include "ai/ledger.hpp"
#include "ai/provider.hpp"
#include "outgoing/calls.hpp"
#include "route/as_caller.hpp"

namespace svc::ai {

// The services that calls use. Outlives them.
struct AiContext {
    const LedgerContext ledger;
    const std::string& secret;  // Settings::secret
    const outgoing::AllowedHosts& allowed;
    outgoing::Calls& calls;
    const bool outside;  // false: nobody is called (Settings::outside)
    const route::Callers callers;
};

// AI_DISABLED_FOR_PROJECT if there is none.
Task<identity::Result<Provider>> provider_of(const AiContext& in);

// The model that is asked: the one that is named, or the app's own.
identity::Result<std::string> chat_model(const Ai& ai, const std::string& wanted);

// The app's own words come first.
std::vector<Message> with_system(const Ai& ai, std::vector<Message> messages);
std::int64_t estimated_tokens(const std::vector<Message>& messages);

// A call that its provider has begun to answer with success.
struct OpenedCall {
    std::shared_ptr<outgoing::Incoming> incoming;
    outgoing::Fetched head;
    std::string host;
    Reservation reservation;
};
// `client`: where it hangs up the call is given up; null: nobody waits.
Task<identity::Result<OpenedCall>> open(const AiContext& in, Reservation reservation,
                                        outgoing::Fetch fetch, http::Exchange* client);
// The rest of the answer; the reservation ends if there is none.
Task<identity::Result<std::string>> read_all(OpenedCall& opened, std::size_t most,
                                             http::Exchange* client);

struct ChatResult {
    Completion completion;
    Usage usage;
    std::int64_t ms = 0;
};
// A chat without a stream. `call.max_tokens`: the most that is asked for.
Task<identity::Result<ChatResult>> complete(const AiContext& in, CallBudget budget, ChatCall call,
                                            http::Exchange* client);

struct EmbedResult {
    Vectors vectors;
    std::int64_t ms = 0;
};
Task<identity::Result<EmbedResult>> embed(const AiContext& in, CallBudget budget,
                                          const std::vector<std::string>& texts,
                                          http::Exchange* client);

// Providers that say nothing for so long have ended the call.
inline constexpr std::chrono::seconds kSilence{60};

}  // namespace svc::ai
