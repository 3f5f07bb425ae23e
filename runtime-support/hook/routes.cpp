#include "hook/routes.hpp"

#include "hook/admin.hpp"

namespace svc::hook {

std::vector<route::Endpoint> routes(const Receiving& receiving, const auth::Context& accounts) {
    std::vector<route::Endpoint> endpoints = admin_routes(accounts);
    endpoints.push_back(receiving_route(receiving));
    return endpoints;
}

}  // namespace svc::hook
