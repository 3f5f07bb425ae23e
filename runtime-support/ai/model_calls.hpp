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

// Refuses with AI_DISABLED_FOR_PROJECT if the app has no AI.
Task<identity::Result<Provider>> provider_of(const AiContext& in);

// The model to ask: the named one, or the app's own.
identity::Result<std::string> chat_model(const Ai& ai, const std::string& wanted);

// Puts the app's own system prompt first.
std::vector<Message> with_system(const Ai& ai, std::vector<Message> messages);
std::int64_t estimated_tokens(const std::vector<Message>& messages);

// A call whose provider has begun a successful answer.
struct OpenedCall {
    std::shared_ptr<outgoing::Incoming> incoming;
    outgoing::Fetched head;
    std::string host;
    Reservation reservation;
};
// `client`: if it hangs up, the call is cancelled. Null: nobody waits for the answer.
Task<identity::Result<OpenedCall>> open(const AiContext& in, Reservation reservation,
                                        outgoing::Fetch fetch, http::Exchange* client);
// Reads the rest of the answer. Ends the reservation if there is no answer.
Task<identity::Result<std::string>> read_all(OpenedCall& opened, std::size_t most,
                                             http::Exchange* client);

struct ChatResult {
    Completion completion;
    Usage usage;
    std::int64_t ms = 0;
};
// Makes a chat without a stream. `call.max_tokens`: the most tokens to ask for.
Task<identity::Result<ChatResult>> complete(const AiContext& in, CallBudget budget, ChatCall call,
                                            http::Exchange* client);

struct EmbedResult {
    Vectors vectors;
    std::int64_t ms = 0;
};
Task<identity::Result<EmbedResult>> embed(const AiContext& in, CallBudget budget,
                                          const std::vector<std::string>& texts,
                                          http::Exchange* client);

// A provider that sends nothing for this time has ended the call.
inline constexpr std::chrono::seconds kSilence{60};

}  // namespace svc::ai
