// Leads a request of an account route to its handler. The needs of all these routes are checked
// here.
#pragma once

#include "auth/context.hpp"

namespace svc::auth {

// `key`: admitted by the gate; null if the route needs none. `id`: as sent.
Task<Done> answer(const Context& in, const AuthRoute& route, http::Exchange& exchange,
                  std::shared_ptr<const AppKey> key, std::string_view id);

}  // namespace svc::auth
