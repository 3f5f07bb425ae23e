#include "run/route/operator.hpp"

#include "identity/credentials.hpp"
#include "identity/user/signed_in.hpp"

namespace svc::run {

Task<identity::Result<Caller>> operator_of(const route::Callers& callers,
                                           const route::Request& request) {
    const http::Head& head = request.exchange.head();
    const bool shows_session = !identity::shown_session(head).token.empty();
    if (!shows_session && request.key->kind == KeyKind::server)
        co_return co_await callers.identify(request);
    const auto admin_required = identity::refusal(Code::admin_required, "Admin required");
    if (!shows_session) co_return admin_required;
    auto caller = co_await identity::signed_in(callers.identifier, head, request.key);
    // A caller without an identity is not an administrator.
    const bool nobody = !caller && caller.error().error.code == Code::unauthorized;
    if (nobody) co_return admin_required;
    if (!caller) co_return caller.error();
    if (caller->enrol_only)
        co_return identity::refusal(Code::mfa_required, "Enrol a second factor first.");
    if (!caller->user->is_admin) co_return admin_required;
    co_return std::move(*caller);
}

}  // namespace svc::run
