// The routes of webhooks.
#pragma once

#include <vector>

#include "auth/context.hpp"
#include "hook/in.hpp"

namespace svc::hook {

// Both outlive them.
std::vector<route::Endpoint> routes(const ReceiveContext& receive_context,
                                    const auth::Context& accounts);

}  // namespace svc::hook
