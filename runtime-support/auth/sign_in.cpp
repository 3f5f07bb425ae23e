#include "auth/sign_in.hpp"

#include <chrono>

#include "http/json_text.hpp"
#include "http/text.hpp"
#include "identity/credentials.hpp"
#include "identity/gate.hpp"

namespace svc::auth {
namespace {

void append_user(std::string& out, const User& user) {
    out += R"({"id":)";
    http::append_json(out, user.id);
    out += R"(,"email":)";
    http::append_json(out, user.email);
    out += R"(,"name":)";
    http::append_json(out, user.name);
    out += user.is_admin ? R"(,"isAdmin":true,"role":)" : R"(,"isAdmin":false,"role":)";
    http::append_json(out, user.role);
    out += R"(,"orgId":)";
    if (user.org_id)
        http::append_json(out, *user.org_id);
    else
        out += "null";
    out += '}';
}

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

// Where a proxy wrote the client's address, its word on the scheme holds too. A client that lies
// changes its own cookie alone.
bool came_by_tls(http::Exchange& exchange, const Settings& settings) {
    return !settings.trusted_proxies.empty() &&
           !exchange.head().header("x-forwarded-for").empty() &&
           http::iequals(exchange.head().header("x-forwarded-proto"), "https");
}

// Previews by path share an origin, and must not share a session.
std::string cookie_path(std::string_view path) {
    constexpr std::string_view kPreview = "/preview/";
    if (!path.starts_with(kPreview)) return "/";
    return std::string(path.substr(0, path.find('/', kPreview.size()) + 1));
}

}  // namespace

SharedSignIn::SharedSignIn(const Settings& settings)
    : signups(settings.rate_signup, std::chrono::hours(1)),
      logins(settings.rate_login, std::chrono::minutes(15)) {}

SignIn::SignIn(const App& app, const Settings& settings, identity::SessionStore& sessions,
               db::Pool& system, SharedSignIn& shared)
    : app_(app), settings_(settings), sessions_(sessions), accounts_(system), shared_(shared) {}

Task<Done> SignIn::logout(http::Exchange& exchange, const AppKey& key) {
    const identity::ShownSession shown = identity::shown_session(exchange.head());
    if (!shown.token.empty() && shown.by_cookie)
        if (auto meant = identity::check_cookie_use(exchange.head(), key); !meant)
            co_return meant.error();
    const auto ended = co_await sessions_.end(shown.token);
    if (!ended) co_return ended.error();
    set_cookie(exchange, "", 0);
    exchange.reply().body = R"({"ok":true})";
    co_return Done();
}

Task<Done> SignIn::me(http::Exchange& exchange, const AppKey&) {
    const auto session = identity::shown_session(exchange.head());
    const auto found = co_await sessions_.read(session.token);
    if (!found) co_return found.error();
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"user":)";
    if (*found)
        append_user(body, *(*found)->user);
    else
        body += "null";
    body += '}';
    co_return Done();
}

Task<Done> SignIn::options(http::Exchange& exchange, const AppKey&) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"signupPolicy":)";
    http::append_json(body, name_of(app_.auth.signup));
    body += R"(,"personas":[)";
    for (const Persona& persona : app_.personas) {
        if (!persona.signup) continue;
        if (body.back() != '[') body += ',';
        http::append_json(body, persona.id);
    }
    body += "]}";
    co_return Done();
}

void SignIn::answer_signed_in(http::Exchange& exchange, const User& user,
                              const std::string& token) {
    set_cookie(exchange, token, app_.auth.session_max);
    exchange.reply().header("Cache-Control", "no-store");
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"token":)";
    http::append_json(body, token);
    body += R"(,"user":)";
    append_user(body, user);
    body += '}';
}

void SignIn::set_cookie(http::Exchange& exchange, std::string_view token, unsigned max_age) const {
    std::string cookie(identity::kSessionCookie);
    cookie += '=';
    cookie += token;
    cookie += "; Path=" + cookie_path(exchange.head().path) +
              "; HttpOnly; SameSite=Lax; Max-Age=" + std::to_string(max_age);
    if (came_by_tls(exchange, settings_)) cookie += "; Secure";
    exchange.reply().header("Set-Cookie", cookie);
}

}  // namespace svc::auth
