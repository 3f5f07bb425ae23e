// The secrets that webhooks are signed with: secrets of the project, by name, or our own, which are
// made at their first use. A replaced secret stays valid for a day.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/pool.hpp"
#include "hook/signature.hpp"
#include "identity/result.hpp"

namespace svc::hook {

// An incoming webhook, as the contract has it.
struct WebhookIn {
    Scheme scheme = Scheme::svc;
    std::string dedupe;       // path in the body
    std::string secret_name;  // of the project; empty: a generated one
    bool built_in = false;    // the server itself takes its calls
    std::vector<std::string> secrets;
};

// `secret`: Settings::secret, in all functions here. Nothing: there is no such webhook. A webhook
// without a secret gets one.
Task<identity::Result<std::optional<WebhookIn>>> webhook_in(db::Pool& system,
                                                            std::string_view secret,
                                                            std::string_view name);

// Generates another secret and returns it; those before it stay valid for a day.
Task<identity::Result<std::string>> rotate(db::Pool& system, std::string_view secret,
                                           std::string_view name);

// The present and the previous value of a project secret, if it may be sent to this host; none if
// it may not, or is not set.
Task<identity::Result<std::vector<std::string>>> signing_secrets(db::Pool& system,
                                                                 std::string_view secret,
                                                                 std::string_view name,
                                                                 std::string_view host);

}  // namespace svc::hook
