// Where secrets are sent: a contract names a secret and a host, and whoever may set secrets says
// whether the two go together. Each part of a contract that sends one adds its lines to
// secret_uses().
#pragma once

#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "platform/secrets.hpp"

namespace svc::devapi {

struct SecretUse {
    std::string secret, host, path;  // path: JSON pointer to where the contract names it
    // The host stands in the secret's own value, so who set the value said where it goes.
    bool said_by_value = false;
};

struct SecretScope {
    const Secrets& secrets;
    std::string project, env;  // dev or prod, as secrets know them
};

// Of a sound contract's text.
std::vector<SecretUse> secret_uses(const std::string& contract, const SecretScope& scope);

// SECRET_NOT_FOR_HOST for each use that nobody who may set secrets has allowed. `allows`: the
// contract is applied by somebody who may set them, so that a secret without hosts gets those of
// this contract.
void check_secret_hosts(const std::string& contract, const SecretScope& scope, bool allows,
                        diag::Findings& findings);

// Binds the secrets without hosts to those of the contract, in every environment; `older` alone:
// those that were set before secrets had hosts.
void bind_secret_hosts(const std::string& contract, const SecretScope& scope, bool older = false);

}  // namespace svc::devapi
