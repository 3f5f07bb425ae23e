#include "route/as_caller.hpp"

#include "identity/credentials.hpp"

namespace svc::route {

Task<bool> Callers::role_has_changed(const Request& request, const Caller& caller) const {
    constexpr int kForbidden = 403;
    const bool by_role = request.exchange.reply().status == kForbidden && !app.org_roles.empty();
    if (!by_role || caller.session_hash.empty()) co_return false;
    const auto shown = identity::shown_session(request.exchange.head());
    const auto now = co_await identifier.sessions().read(shown.token);
    const bool there = now && *now;
    co_return there && (*now)->names != caller.names;
}

}  // namespace svc::route
