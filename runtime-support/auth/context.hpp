// The routes of accounts: what each needs of a request before its handler is asked, and what a
// handler gets. The routes are listed in docs/http/app.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "auth/outside.hpp"
#include "auth/settings.hpp"
#include "auth/throttles.hpp"
#include "http/exchange.hpp"
#include "http/request/params.hpp"
#include "identity/caller.hpp"
#include "identity/result.hpp"
#include "identity/user/identify.hpp"
#include "route/endpoint.hpp"
#include "svc/app.hpp"

namespace svc::auth {

using route::Done;

// The services that the handlers of one io thread share. Lives as long as its service.
struct Context {
    const App& app;
    const Settings& settings;
    identity::Identifier& identifier;
    db::Pool& system;
    Throttles& throttles;  // of the whole process
    Outside& outside;      // of the whole process
};

// A request that was admitted. `caller` is set where the route needs a session.
struct Call {
    const Context& in;
    http::Exchange& exchange;
    std::shared_ptr<const AppKey> key;  // null if the route needs none
    std::optional<Caller> caller;
    std::string_view id;  // the segment at <id>, as sent
};

enum class Need : std::uint8_t {
    nothing,    // a link that a browser follows: no key, no marker, no budget
    key,        // an app key
    session,    // and a signed-in user
    enrolment,  // the same, where a session that may only enrol a second factor will do
    admin,      // and their being an administrator
};

// Writes the answer, or gives the refusal.
using Handler = Task<Done> (*)(Call& call);

struct AuthRoute {
    Method method;
    std::string_view path;  // below /__svc; <id> stands for one segment
    Need need;
    Handler handler;
    http::ParamNames params = {};
    bool foreign_params = false;  // others too: somebody else makes the address
};

// The routes of each folder.
namespace account {
std::span<const AuthRoute> routes();        // sign-up, login, logout, me
std::span<const AuthRoute> admin_routes();  // accounts of others, roles, the record
}  // namespace account
namespace link {
std::span<const AuthRoute> routes();  // verification and magic links, asking for a reset
}  // namespace link
namespace mfa {
std::span<const AuthRoute> routes();  // second factors
}  // namespace mfa
namespace oidc {
std::span<const AuthRoute> routes();  // OpenID Connect
std::span<const AuthRoute> config_routes();
}  // namespace oidc
namespace org {
std::span<const AuthRoute> routes();  // organisations
}  // namespace org
namespace passkey {
std::span<const AuthRoute> routes();  // WebAuthn
}  // namespace passkey
namespace password {
std::span<const AuthRoute> routes();  // choosing a password with a mailed link
}  // namespace password

}  // namespace svc::auth
