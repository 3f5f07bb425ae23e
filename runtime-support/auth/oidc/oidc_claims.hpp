// Checks the claims of an id token against the request.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// The token came from the provider's own token endpoint over TLS, so its signature need not be
// checked (OpenID Connect Core 1.0, 3.1.3.7, 6). Returns the failed check, or an empty text; only
// then `person` is set.
std::string read_id_token(std::string_view token, const Provider& provider,
                          const Endpoints& endpoints, std::string_view nonce, std::time_t now,
                          Person& person);

}  // namespace svc::auth::oidc
