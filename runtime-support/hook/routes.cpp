#include "hook/routes.hpp"

#include "hook/admin.hpp"

namespace svc::hook {

std::vector<route::Endpoint> routes(const ReceiveContext& receive_context,
                                    const auth::Context& accounts) {
    std::vector<route::Endpoint> endpoints = admin_routes(accounts);
    endpoints.push_back(receiving_route(receive_context));
    return endpoints;
}

}  // namespace svc::hook
