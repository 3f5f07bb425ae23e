#include "auth/dispatch.hpp"

#include "identity/credentials.hpp"
#include "identity/gate.hpp"

namespace svc::auth {
namespace {

// The user of the session that is shown, as the database has them now.
Task<identity::Result<Caller>> signed_in(const Call& call) {
    const identity::ShownSession shown = identity::shown_session(call.exchange.head());
    if (shown.by_cookie && !shown.token.empty())
        if (auto meant = identity::check_cookie_use(call.exchange.head(), *call.key); !meant)
            co_return meant.error();
    const auto found = co_await call.in.identifier.sessions().read(shown.token);
    if (!found) co_return found.error();
    if (!*found)
        co_return identity::refusal(
            Code::unauthorized,
            shown.token.empty() ? "Sign in first." : "The app session has ended. Sign in again.");
    Caller caller(**found);
    caller.key = call.key;
    co_return std::move(caller);
}

identity::Result<void> check_need(const Caller& caller, Need need) {
    if (caller.enrol_only && need != Need::enrolment)
        return identity::refusal(Code::mfa_required, "Enrol a second factor first.");
    if (need == Need::admin && !caller.user->is_admin)
        return identity::refusal(Code::admin_required, "Admin required");
    return {};
}

}  // namespace

Task<Done> answer(const Context& in, const AuthRoute& route, http::Exchange& exchange,
                  std::shared_ptr<const AppKey> key, std::string_view id) {
    // Tokens and links are not kept to be told again; a promise that is not held is refused.
    const http::Head& head = exchange.head();
    if (head.method == "POST" && !head.header("idempotency-key").empty())
        co_return identity::refusal(Code::params_invalid,
                                    "Idempotency-Key is taken by rows, queries and SQL, not here.");
    Call call{in, exchange, std::move(key), std::nullopt, id};
    if (route.need != Need::nothing && route.need != Need::key) {
        auto caller = co_await signed_in(call);
        if (!caller) {
            // Who is nobody is no administrator either.
            if (route.need == Need::admin && caller.error().error.code == Code::unauthorized)
                co_return identity::refusal(Code::admin_required, "Admin required");
            co_return caller.error();
        }
        if (auto fit = check_need(*caller, route.need); !fit) co_return fit.error();
        call.caller = std::move(*caller);
    }
    co_return co_await route.handler(call);
}

}  // namespace svc::auth
