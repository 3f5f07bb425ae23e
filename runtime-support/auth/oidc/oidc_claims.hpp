// What an id token claims, held against what was asked for.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "auth/oidc/oidc.hpp"

namespace svc::auth::oidc {

// The token came from the provider's own token endpoint, over TLS: that stands in for its signature
// (OpenID Connect Core 1.0, 3.1.3.7, 6). Empty text where all else holds, or what does not;
// `person` is set if it is empty.
std::string read_id_token(std::string_view token, const Provider& provider,
                          const Endpoints& endpoints, std::string_view nonce, std::time_t now,
                          Person& person);

}  // namespace svc::auth::oidc
