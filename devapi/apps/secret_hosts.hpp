// The hosts that secrets are sent to: a contract names a secret and a host, and a member who may
// set secrets decides whether the secret may go there. Each part of a contract that sends one adds
// its lines to secret_uses().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "platform/keys/secrets.hpp"

namespace svc::devapi {

struct SecretUse {
    std::string secret, host, path;  // path: JSON pointer to where the contract names it
    // The secret's own value has the host, so the member who set the value chose it.
    bool said_by_value = false;
};

struct SecretScope {
    const Secrets& secrets;
    std::string project;
    SecretEnv env = SecretEnv::dev;
};

// Reads a sound contract's text.
std::vector<SecretUse> secret_uses(const std::string& contract, const SecretScope& scope);

// The uses that a change from `live` adds. If the caller may set secrets, the change itself allows
// these uses. It does not allow earlier uses, because somebody else may have added them.
std::vector<SecretUse> uses_brought_in(const std::string& contract,
                                       const std::optional<std::string>& live,
                                       const SecretScope& scope);

// SECRET_NOT_FOR_HOST for each use that nobody who may set secrets has allowed; `said`: those that
// this change allows where the secret has no hosts yet. SECRET_MISSING, a warning, for each secret
// without a value.
void check_secret_hosts(const std::string& contract, const SecretScope& scope,
                        const std::vector<SecretUse>& brought_in, diag::Findings& findings);

// Returns the uses in the form of Secrets, without secrets whose own value contains the host.
std::vector<SentSecret> sent_secrets(const std::vector<SecretUse>& uses, const SecretScope& scope);

}  // namespace svc::devapi
