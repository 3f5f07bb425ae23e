// Signing in with a provider: the browser's way there and back. What a sign-in must remember
// travels sealed in a cookie of the browser that began it, so nobody else can end it.
#include <algorithm>
#include <ctime>
#include <optional>

#include "auth/answer.hpp"
#include "auth/body.hpp"
#include "auth/form.hpp"
#include "auth/link/link_token.hpp"
#include "auth/link/previewer.hpp"
#include "auth/oidc/linked_account.hpp"
#include "auth/oidc/oidc.hpp"
#include "auth/session_start.hpp"
#include "auth/url_text.hpp"
#include "base/base64url.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "base/sha256.hpp"
#include "identity/account.hpp"
#include "identity/command.hpp"
#include "identity/credentials.hpp"
#include "identity/sealer.hpp"
#include "identity/token.hpp"
#include "json/value.hpp"

namespace svc::auth::oidc {
namespace {

constexpr std::string_view kAttemptCookie = "svc_oauth";
constexpr std::string_view kDoneCookie = "svc_oauth_done";
constexpr std::int64_t kAttemptSeconds = 600;
constexpr std::int64_t kDoneSeconds = 120;

constexpr std::string_view kCodeMake =
    "insert into svc.token (hash, purpose, account_id, data, expires_at)"
    " values ($1::bytea, 'oauth_code', $2::uuid, $3::text, now() + interval '2 minutes')";

constexpr std::string_view kCodeUse =
    " select a.id::text, a.email, a.name, a.persona, a.is_admin, a.password_hash, a.disabled, "
    "true, u.data"
    " from used u join svc.account a on a.id = u.account_id where not a.disabled";

std::string sealed_attempt(const Context& in, const Attempt& attempt) {
    std::string text = std::to_string(attempt.until);
    for (const std::string* part :
         {&attempt.provider, &attempt.state, &attempt.nonce, &attempt.verifier, &attempt.return_to})
        text += '\n' + *part;
    return identity::Sealer(in.settings.secret, "oauth").seal(text);
}

std::optional<Attempt> open_attempt(const Context& in, std::string_view sealed) {
    const auto text = identity::Sealer(in.settings.secret, "oauth").unseal(sealed);
    if (!text) return std::nullopt;
    Attempt attempt;
    std::string until;
    std::string_view rest = *text;
    for (std::string* part : {&until, &attempt.provider, &attempt.state, &attempt.nonce,
                              &attempt.verifier, &attempt.return_to}) {
        const auto end = std::min(rest.find('\n'), rest.size());
        *part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    attempt.until = std::stoll(until);
    if (attempt.until < std::time(nullptr)) return std::nullopt;
    return attempt;
}

void set_attempt(const Call& call, std::string_view value, std::int64_t seconds) {
    add_cookie(call, kAttemptCookie, value, "/", seconds);
}

// Browsers say where a call comes from; programs, which nobody leads anywhere, do not.
bool is_browsers_own(const http::Head& head, std::string_view hash) {
    if (head.header("sec-fetch-site").empty()) return true;
    const std::string_view secret = identity::own_cookie(head, kDoneCookie, "/");
    return base::base64url(base::sha256(secret)) == hash;
}

// Redirects to the app's page, with the result.
void send_back(const Call& call, const std::string& return_to, std::string_view name,
               std::string_view value) {
    std::string place =
        return_to.starts_with('/') ? call.in.settings.origin + return_to : return_to;
    std::string fragment;
    if (const auto hash = place.find('#'); hash != std::string::npos) {
        fragment = place.substr(hash);
        place.resize(hash);
    }
    place += place.find('?') == std::string::npos ? '?' : '&';
    place += std::string(name) + "=" + base::percent_encoded(value) + fragment;
    send_to(call, place);
}

std::string authorization_url(const Context& in, const Provider& provider,
                              const Endpoints& endpoints, const Attempt& attempt) {
    std::string scopes;
    for (const std::string& scope : provider.scopes) scopes += (scopes.empty() ? "" : " ") + scope;
    std::string url = endpoints.authorization;
    url += url.find('?') == std::string::npos ? '?' : '&';
    url += "response_type=code&client_id=" + base::percent_encoded(provider.client_id);
    url += "&redirect_uri=" + base::percent_encoded(redirect_uri(in, provider.id));
    url += "&scope=" + base::percent_encoded(scopes) + "&state=" + attempt.state;
    url += "&nonce=" + attempt.nonce +
           "&code_challenge=" + base::base64url(base::sha256(attempt.verifier));
    url += "&code_challenge_method=S256";
    if (provider.preset == Preset::apple)
        url += "&response_mode=form_post";  // otherwise it sends no address
    return url;
}

// GET /auth/oauth/<p>/start?returnTo=
Task<Done> oauth_start(Call& call) {
    const std::string& origin = call.in.settings.origin;
    if (origin.empty())
        co_return identity::refusal(
            Code::not_found,
            "This server does not know the app's origin. Its operator sets SVC_ORIGIN.");
    if (auto fit = take_step(call.in.throttles.oauth, call.exchange); !fit) co_return fit.error();
    Attempt attempt;
    attempt.provider = std::string(call.id);
    attempt.return_to = http::query_param(call.exchange.head().query, "returnTo").value;
    if (attempt.return_to.empty()) attempt.return_to = "/";
    if (!stays_with(origin, attempt.return_to))
        co_return identity::refusal(Code::params_invalid, "\"returnTo\" must be a page of the app.",
                                    "returnTo");
    const auto provider = co_await find_provider(call.in, call.id);
    if (!provider) co_return provider.error();
    const auto endpoints = co_await endpoints_of(call.in, *provider);
    if (!endpoints) co_return endpoints.error();
    attempt.state = identity::random_token("");
    attempt.nonce = identity::random_token("");
    attempt.verifier = identity::random_token("");
    attempt.until = std::time(nullptr) + kAttemptSeconds;
    set_attempt(call, sealed_attempt(call.in, attempt), kAttemptSeconds);
    send_to(call, authorization_url(call.in, *provider, *endpoints, attempt));
    co_return Done();
}

// The browser that came back keeps a secret, whose hash stands with the code: a page of the app
// that somebody was led to with another's code does not have it.
Task<identity::Result<std::string>> make_code(const Call& call, const std::string& account,
                                              const std::string& how) {
    const link::LinkToken code;
    const std::string secret = identity::random_token("");
    add_cookie(call, kDoneCookie, secret, "/", kDoneSeconds);
    const std::string data = how + ' ' + base::base64url(base::sha256(secret));
    const db::Param params[] = {code.hash, account, data};
    const db::Command command = identity::command("svc_oauth_code", kCodeMake, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return code.value;
}

// The person's account becomes a code that the app's page exchanges for a session.
Task<identity::Result<std::string>> code_for(const Call& call, const Attempt& attempt,
                                             const std::string& issuer, std::string code) {
    const auto provider = co_await find_provider(call.in, attempt.provider);
    if (!provider) co_return provider.error();
    const auto endpoints = co_await endpoints_of(call.in, *provider);
    if (!endpoints) co_return endpoints.error();
    if (!issuer.empty() && !provider->preset && issuer != endpoints->issuer)
        co_return identity::refusal(
            Code::invalid_token,
            "The answer comes from another provider. Start the sign-in again.");
    const auto person =
        co_await exchange_code(call.in, *provider, *endpoints, attempt, std::move(code));
    if (!person) co_return person.error();
    const auto account = co_await account_of(call, *person);
    if (!account) co_return account.error();
    co_return co_await make_code(call, *account, "oidc:" + attempt.provider);
}

// GET /auth/oauth/<p>/callback
Task<Done> oauth_callback(Call& call) {
    if (call.exchange.head().method == "HEAD") {
        link::answer_look(call);
        co_return Done();
    }
    if (auto fit = take_step(call.in.throttles.oauth, call.exchange); !fit) co_return fit.error();
    const std::string_view query = call.exchange.head().query;
    const auto attempt =
        open_attempt(call.in, identity::own_cookie(call.exchange.head(), kAttemptCookie, "/"));
    const std::string state = http::query_param(query, "state").value;
    if (!attempt || attempt->provider != call.id || state.empty() || state != attempt->state)
        co_return identity::refusal(
            Code::invalid_token,
            "This sign-in was not started in this browser, or it has expired. Start again.");
    set_attempt(call, "", 0);
    const http::QueryParam error = http::query_param(query, "error");
    if (error.found) {
        send_back(call, attempt->return_to, "oauthError", error.value.substr(0, 100));
        co_return Done();
    }
    const auto code = co_await code_for(call, *attempt, http::query_param(query, "iss").value,
                                        http::query_param(query, "code").value);
    if (code)
        send_back(call, attempt->return_to, "code", *code);
    else if (status(code.error().error.code) < 500)
        send_back(call, attempt->return_to, "oauthError", name(code.error().error.code));
    else
        co_return code.error();
    co_return Done();
}

// Apple posts its answer. A browser sends the cookie with the page that it is sent on to, not with
// the post.
Task<Done> oauth_posted(Call& call) {
    const auto form = read_form(call.exchange.body(), {"code", "state", "error"});
    if (!form) co_return form.error();
    std::string query;
    for (const auto& [name, value] : *form)
        query += (query.empty() ? "?" : "&") + name + "=" + base::percent_encoded(value);
    send_to(call, redirect_uri(call.in, call.id) + query);
    call.exchange.reply().status = 303;
    co_return Done();
}

// POST /auth/oauth/complete {code}
Task<Done> oauth_complete(Call& call) {
    const auto body = read_texts(call.exchange.body(), {"code"});
    if (!body) co_return body.error();
    const auto hash = link::shown_token(text(*body, "code"));
    if (!hash) co_return hash.error();
    identity::AccountWithText who;
    const std::string sql = link::using_token(kCodeUse);
    const db::Param params[] = {*hash, base::word(link::TokenPurpose::oauth_code)};
    const db::Command command = identity::command("svc_oauth_complete", sql, params, &who);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!who.account)
        co_return co_await link::why_not(call.in, *hash, link::TokenPurpose::oauth_code);
    const auto space = std::min(who.text.find(' '), who.text.size());
    if (!is_browsers_own(call.exchange.head(),
                         std::string_view(who.text).substr(std::min(space + 1, who.text.size()))))
        co_return identity::refusal(
            Code::invalid_token,
            "This sign-in was started in another browser. Start again in this one.");
    const auto started =
        co_await start_session(call, *who.account, std::string_view(who.text).substr(0, space));
    if (!started) co_return started.error();
    co_return Done();
}

Task<Done> oauth_providers(Call& call) {
    const auto providers = co_await all_providers(call.in);
    if (!providers) co_return providers.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"providers":[)";
    for (const Provider& provider : *providers) {
        if (body.back() != '[') body += ',';
        body += R"({"id":)";
        base::append_json(body, provider.id);
        body += R"(,"label":)";
        base::append_json(body, provider.label);
        body += '}';
    }
    body += "]}";
    co_return Done();
}

constexpr std::string_view kStartParams[] = {"returnTo"};
// Providers add what they like: iss, session_state, scope, authuser, …
constexpr std::string_view kCallbackParams[] = {"state", "code", "error", "iss"};

constexpr AuthRoute kOauthRoutes[] = {
    {Method::get, "/auth/oauth/providers", Need::key, oauth_providers},
    {Method::get, "/auth/oauth/<id>/start", Need::nothing, oauth_start, kStartParams},
    {Method::get, "/auth/oauth/<id>/callback", Need::nothing, oauth_callback, kCallbackParams,
     true},
    {Method::post, "/auth/oauth/<id>/callback", Need::nothing, oauth_posted},
    {Method::post, "/auth/oauth/complete", Need::key, oauth_complete},
};

}  // namespace

std::span<const AuthRoute> routes() { return kOauthRoutes; }

}  // namespace svc::auth::oidc
