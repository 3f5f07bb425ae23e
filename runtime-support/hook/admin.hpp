// The routes of administrators for webhooks: GET /runtime/webhooks/<name>/secret, POST …/rotate,
// and deliveries: GET /runtime/deliveries, POST /runtime/deliveries/<id>/redeliver.
#pragma once

#include <vector>

#include "auth/context.hpp"

namespace svc::hook {

std::vector<route::Endpoint> admin_routes(const auth::Context& in);

}  // namespace svc::hook
