#include "auth/routes.hpp"

#include <span>

#include "auth/dispatch.hpp"

namespace svc::auth {
namespace {

constexpr std::size_t kBody = 16 * 1024;  // four short texts

}  // namespace

route::Endpoint endpoint_of(const Context& in, const AuthRoute& route) {
    const auto handler = [&in, &route](route::Request& request) {
        return answer(in, route, request.exchange, request.key, request.id);
    };
    return {.method = route.method,
            .path = route.path,
            .entry = route.need == Need::nothing ? route::Entry::open : route::Entry::key,
            .handler = handler,
            .params = route.params,
            .foreign_params = route.foreign_params,
            .body_limit = kBody};
}

std::vector<route::Endpoint> routes(const Context& in) {
    std::vector<route::Endpoint> endpoints;
    for (const auto table :
         {account::routes(), link::routes(), password::routes(), account::admin_routes(),
          mfa::routes(), passkey::routes(), org::routes(), oidc::routes(), oidc::config_routes()})
        for (const AuthRoute& route : table) endpoints.push_back(endpoint_of(in, route));
    return endpoints;
}

}  // namespace svc::auth
