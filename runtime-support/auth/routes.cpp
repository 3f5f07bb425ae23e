#include "auth/context.hpp"

namespace svc::auth {

std::span<const std::span<const AuthRoute>> routes() {
    static const std::span<const AuthRoute> all[] = {
        account_routes(), link_routes(), password_routes(), admin_routes(),       mfa_routes(),
        passkey_routes(), org_routes(),  oauth_routes(),    oauth_config_routes()};
    return all;
}

}  // namespace svc::auth
