#include "identity/user/identify.hpp"

#include "identity/credentials.hpp"
#include "identity/key/gate.hpp"
#include "identity/user/personas.hpp"

namespace svc::identity {
namespace {

// An assertion that the key may not make is refused: if it were ignored, the call would run as
// another caller than its sender meant.
Result<void> check_assertion(const Assertion& asserted, const AppKey& key, bool with_session) {
    if (!asserted.any()) return {};
    if (key.kind != KeyKind::server)
        return refusal(
            Code::params_invalid,
            "Only a server key may send x-svc-app-user, x-svc-app-role or x-svc-app-org.");
    if (with_session)
        return refusal(Code::params_invalid,
                       "Send either an app session or x-svc-app-user, -role and -org, not both.");
    return {};
}

}  // namespace

Identifier::Identifier(asio::io_context& io, const App& app, db::Pool& system)
    : sessions_(io, app, system), asserted_(app, system) {}

Task<Result<Caller>> Identifier::identify(const http::Head& head, std::shared_ptr<const AppKey> key,
                                          Cached cached) {
    const ShownSession shown = shown_session(head);
    const Assertion asserted = assertion(head);
    if (auto fit = check_assertion(asserted, *key, !shown.token.empty()); !fit)
        co_return fit.error();
    if (shown.by_cookie && !shown.token.empty())
        if (auto meant = check_cookie_use(head, *key); !meant) co_return meant.error();

    Result<Caller> caller{Caller()};
    if (!shown.token.empty())
        caller = co_await by_session(shown.token, cached);
    else if (asserted.any())
        caller = co_await asserted_.resolve(asserted, cached);
    else if (key->kind == KeyKind::server)
        caller = server_caller(std::nullopt);
    if (caller) caller->key = std::move(key);
    co_return caller;
}

Task<Result<Caller>> Identifier::by_session(std::string_view token, Cached cached) {
    Result<SessionStore::Found> found{SessionStore::Found()};
    if (cached == Cached::yes)
        found = co_await sessions_.resolve(token);
    else
        found = co_await sessions_.read(token);
    if (!found) co_return found.error();
    if (!*found) co_return session_is_over();
    if ((*found)->enrol_only)
        co_return refusal(Code::mfa_required,
                          "Enrol a second factor first: POST /auth/mfa/enroll/start.");
    co_return Caller(**found);
}

}  // namespace svc::identity
