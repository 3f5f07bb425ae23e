#include "run/route/routes.hpp"

namespace svc::run {

std::vector<route::Endpoint> routes(const RunContext& in) {
    std::vector<route::Endpoint> endpoints;
    endpoints.push_back(function_route(in));
    add_run_routes(in, endpoints);
    return endpoints;
}

}  // namespace svc::run
