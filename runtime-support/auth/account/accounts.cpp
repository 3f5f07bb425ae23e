#include "auth/account/accounts.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "base/json_text.hpp"
#include "identity/credentials.hpp"
#include "identity/key/gate.hpp"

namespace svc::auth::account {
namespace {

std::string_view name_of(SignupPolicy policy) {
    switch (policy) {
        case SignupPolicy::open:
            return "open";
        case SignupPolicy::invite_only:
            return "invite_only";
        case SignupPolicy::disabled:
            return "disabled";
    }
    return "disabled";
}

constexpr AuthRoute kAccountRoutes[] = {
    {Method::post, "/auth/signup", Need::key, signup},
    {Method::post, "/auth/login", Need::key, login},
    {Method::post, "/auth/logout", Need::key, logout},
    {Method::get, "/auth/me", Need::key, me},
    {Method::get, "/auth/signup-options", Need::key, options},
};

}  // namespace

Task<Done> logout(Call& call) {
    const identity::ShownSession shown = identity::shown_session(call.exchange.head());
    if (!shown.token.empty() && shown.by_cookie)
        if (auto meant = identity::check_cookie_use(call.exchange.head(), *call.key); !meant)
            co_return meant.error();
    identity::SessionStore& sessions = call.in.identifier.sessions();
    const auto whose = co_await sessions.read(shown.token);
    if (!whose) co_return whose.error();
    const auto ended = co_await sessions.end(shown.token);
    if (!ended) co_return ended.error();
    if (*whose) {
        AuditRow::Entry entry;
        entry.event = "logout";
        entry.account_id = (*whose)->user->id;
        entry.email = (*whose)->user->email;
        co_await audit(call, entry);
    }
    set_cookie(call, "", 0);
    answer_ok(call.exchange);
    co_return Done();
}

Task<Done> me(Call& call) {
    const auto session = identity::shown_session(call.exchange.head());
    const auto found = co_await call.in.identifier.sessions().read(session.token);
    if (!found) co_return found.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"user":)";
    if (*found)
        append_user(body, *(*found)->user);
    else
        body += "null";
    body += '}';
    co_return Done();
}

Task<Done> options(Call& call) {
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"signupPolicy":)";
    base::append_json(body, name_of(call.in.app.auth.signup));
    body += R"(,"personas":[)";
    for (const Persona& persona : call.in.app.personas) {
        if (!persona.signup) continue;
        if (body.back() != '[') body += ',';
        base::append_json(body, persona.id);
    }
    body += "]}";
    co_return Done();
}

std::span<const AuthRoute> routes() { return kAccountRoutes; }

}  // namespace svc::auth::account
