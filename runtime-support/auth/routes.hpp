// The account routes of an app.
#pragma once

#include <vector>

#include "auth/context.hpp"
#include "route/endpoint.hpp"

namespace svc::auth {

// `in` outlives them.
std::vector<route::Endpoint> routes(const Context& in);

// The endpoint of another folder's route that needs a session or an administrator. Both outlive it.
route::Endpoint endpoint_of(const Context& in, const AuthRoute& route);

}  // namespace svc::auth
