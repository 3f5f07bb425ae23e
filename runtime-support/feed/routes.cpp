#include "feed/routes.hpp"

namespace svc::feed {

std::vector<route::Endpoint> routes(const PublishContext& publishing,
                                    const SubscribeContext& subscribing) {
    std::vector<route::Endpoint> endpoints;
    endpoints.push_back(publish_route(publishing));
    add_subscribe_routes(subscribing, endpoints);
    return endpoints;
}

}  // namespace svc::feed
