#include "auth/passkey/passkeys.hpp"

namespace svc::auth::passkey {
namespace {

constexpr AuthRoute kPasskeyRoutes[] = {
    {Method::post, "/auth/passkeys/register/start", Need::enrolment, passkey_register_start},
    {Method::post, "/auth/passkeys/register/finish", Need::enrolment, passkey_register_finish},
    {Method::post, "/auth/passkeys/login/start", Need::key, passkey_login_start},
    {Method::post, "/auth/passkeys/login/finish", Need::key, passkey_login_finish},
    {Method::get, "/auth/passkeys", Need::session, list_passkeys},
    {Method::remove, "/auth/passkeys/<id>", Need::session, remove_passkey},
};

}  // namespace

std::span<const AuthRoute> routes() { return kPasskeyRoutes; }

}  // namespace svc::auth::passkey
