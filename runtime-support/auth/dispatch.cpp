#include "auth/dispatch.hpp"

#include "auth/page.hpp"
#include "identity/user/signed_in.hpp"

namespace svc::auth {
namespace {

identity::Result<void> check_need(const Caller& caller, Need need) {
    if (caller.enrol_only && need != Need::enrolment)
        return identity::refusal(Code::mfa_required,
                                 "Enrol a second factor first: POST /auth/mfa/enroll/start.");
    if (need == Need::admin && !caller.user->is_admin)
        return identity::refusal(Code::admin_required, "Admin required");
    return {};
}

}  // namespace

Task<Done> answer(const Context& in, const AuthRoute& route, http::Exchange& exchange,
                  std::shared_ptr<const AppKey> key, std::string_view id) {
    // Answers with tokens and links are not stored, so they cannot be repeated: a request that asks
    // for repetition is refused.
    const http::Head& head = exchange.head();
    if (head.method == "POST" && !head.header("idempotency-key").empty())
        co_return identity::refusal(
            Code::params_invalid,
            "This route does not take the header Idempotency-Key. Only a POST of rows, queries, "
            "functions, topics, runs and SQL does.");
    Call call{in, exchange, std::move(key), std::nullopt, id};
    if (route.need != Need::nothing && route.need != Need::key) {
        auto caller = co_await identity::signed_in(in.identifier, head, call.key);
        if (!caller) {
            // A caller without an account is not an administrator either.
            if (route.need == Need::admin && caller.error().error.code == Code::unauthorized)
                co_return identity::refusal(Code::admin_required, "Admin required");
            co_return caller.error();
        }
        if (auto fit = check_need(*caller, route.need); !fit) co_return fit.error();
        call.caller = std::move(*caller);
    }
    Done done = co_await route.handler(call);
    // A link that somebody follows, in a mail or from a provider, ends at a page whatever comes of
    // it.
    const bool followed = route.need == Need::nothing && head.method == "GET" && in_browser(head);
    if (!done && followed) {
        answer_refused_page(call, done.error());
        co_return Done();
    }
    co_return done;
}

}  // namespace svc::auth
