// From an account route that a request matched to its handler: what the route needs is asked here,
// once for all.
#pragma once

#include "auth/context.hpp"

namespace svc::auth {

// `key`: admitted by the gate; null if the route needs none. `id`: as sent.
Task<Done> answer(const Context& in, const AuthRoute& route, http::Exchange& exchange,
                  std::shared_ptr<const AppKey> key, std::string_view id);

}  // namespace svc::auth
