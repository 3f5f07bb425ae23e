// Acts as whoever a request speaks for, on what this process remembers of them. Where that turns
// out to be of yesterday, it is read again and the act is repeated, once.
#pragma once

#include <utility>

#include "identity/identify.hpp"
#include "route/endpoint.hpp"
#include "route/handled.hpp"

namespace svc::route {

// What handlers need to know their callers; outlives them.
struct Callers {
    const App& app;
    identity::Identifier& identifier;

    Task<identity::Result<Caller>> identify(const Request& request) const {
        return identifier.identify(request.exchange.head(), request.key);
    }
    // A refusal before the database was asked goes by the role in an organisation that this process
    // remembers. True: the caller has another one by now.
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
    co_return identity::refusal(Code::unauthorized, "The app session has ended. Sign in again.");
}

}  // namespace svc::route
