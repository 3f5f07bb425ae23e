// Acts as the caller of a request, with the session that this process has cached. If the cached
// session is out of date, it is read again and the action is repeated once.
#pragma once

#include <utility>

#include "identity/user/identify.hpp"
#include "route/endpoint.hpp"
#include "route/handled.hpp"

namespace svc::route {

// The services with which handlers identify their callers. Outlives the handlers.
struct Callers {
    const App& app;
    identity::Identifier& identifier;

    Task<identity::Result<Caller>> identify(const Request& request,
                                            identity::Cached cached = identity::Cached::yes) const {
        return identifier.identify(request.exchange.head(), request.key, cached);
    }
    // A request may be refused without the database, by the cached role in an organisation. Returns
    // true if the caller has another role now.
    Task<bool> role_has_changed(const Request& request, const Caller& caller) const;
};

// `act` takes a caller and gives a Task<Handled>. `callers` and `request` outlive the task.
template <class Act>
Task<Done> as_caller(const Callers& callers, Request& request, Act act) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto caller = co_await callers.identify(request);
        if (!caller) co_return caller.error();
        const Handled handled = co_await act(*caller);
        if (handled == Handled::session_ended) {
            callers.identifier.sessions().forget(caller->session_hash);
            continue;
        }
        const bool again = co_await callers.role_has_changed(request, *caller);
        if (!again) co_return Done();
        request.exchange.reply().clear();
    }
    co_return identity::session_is_over();
}

}  // namespace svc::route
