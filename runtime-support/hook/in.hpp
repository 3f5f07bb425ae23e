// POST /hooks/<project>/<name>: a call of another service. It has no app key; its signature
// identifies the service.
#pragma once

#include <functional>
#include <string>

#include "db/pool.hpp"
#include "identity/budget.hpp"
#include "route/endpoint.hpp"

namespace svc::hook {

// A webhook whose verified calls the server itself handles. Empty name: there is none.
struct BuiltInWebhook {
    std::string name;
    std::function<Task<route::Done>(http::Exchange&)> take;
};

// The services that the handler uses. Outlives it.
struct ReceiveContext {
    db::Pool& system;
    identity::Throttle& calls;  // whose signature is not known to be good, by webhook and address
    const std::string secret;   // Settings::secret
    const std::string project;  // Settings::project; empty: any
    const BuiltInWebhook built_in = {};
};

route::Endpoint receiving_route(const ReceiveContext& in);

}  // namespace svc::hook
