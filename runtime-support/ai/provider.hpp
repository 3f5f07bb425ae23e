// The provider that an app's project has named: an OpenAI-compatible server. Its secrets are
// AI_BASE_URL and AI_API_KEY. Source: OpenAI's API reference, "Chat Completions", "Embeddings".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ai/request.hpp"
#include "db/pool.hpp"
#include "outgoing/fetch.hpp"

namespace svc::ai {

struct Provider {
    std::string base_url;  // without a slash at its end
    std::string key;       // empty: the provider needs none
};

// Returns none if the project has named no provider, or if calls to its address are not allowed. A
// key that may not be sent to the provider's host is refused with PROVIDER_ERROR, and the log says
// why. `secret`: Settings::secret.
Task<identity::Result<std::optional<Provider>>> find_provider(db::Pool& system,
                                                              std::string_view secret);

struct ChatCall {
    std::string model;
    std::vector<Message> messages;
    std::int64_t max_tokens = 0;
    bool stream = false;
    std::string schema;  // JSON Schema of the answer; empty: any text
};
outgoing::Fetch chat_fetch(const Provider& provider, const ChatCall& call);
outgoing::Fetch embed_fetch(const Provider& provider, std::string_view model,
                            const std::vector<std::string>& texts);

}  // namespace svc::ai
