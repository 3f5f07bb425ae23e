#include "auth/context.hpp"

namespace svc::auth {

std::span<const std::span<const AuthRoute>> routes() {
    static const std::span<const AuthRoute> all[] = {
        account::routes(),       link::routes(), password::routes(),
        account::admin_routes(), mfa::routes(),  passkey::routes(),
        org::routes(),           oidc::routes(), oidc::config_routes()};
    return all;
}

}  // namespace svc::auth
