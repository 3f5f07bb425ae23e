// The account routes of an app.
#pragma once

#include <vector>

#include "auth/context.hpp"
#include "route/endpoint.hpp"

namespace svc::auth {

// `in` outlives them.
std::vector<route::Endpoint> routes(const Context& in);

}  // namespace svc::auth
