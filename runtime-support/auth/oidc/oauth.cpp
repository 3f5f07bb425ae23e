// Signing in with a provider: the browser's way there and back.
#include "auth/answer.hpp"
#include "auth/body.hpp"
#include "auth/form.hpp"
#include "auth/link/previewer.hpp"
#include "auth/messages.hpp"
#include "auth/oidc/attempt.hpp"
#include "auth/oidc/linked_account.hpp"
#include "auth/oidc/oauth_code.hpp"
#include "auth/oidc/oidc.hpp"
#include "auth/url_text.hpp"
#include "base/base64url.hpp"
#include "base/json_text.hpp"
#include "base/percent.hpp"
#include "base/sha256.hpp"
#include "identity/token.hpp"
#include "json/value.hpp"

namespace svc::auth::oidc {
namespace {

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
    if (origin.empty()) co_return identity::refusal(Code::not_found, kNoOrigin);
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
    keep_attempt(call, attempt);
    send_to(call, authorization_url(call.in, *provider, *endpoints, attempt));
    co_return Done();
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
    const auto attempt = kept_attempt(call);
    const std::string state = http::query_param(query, "state").value;
    if (!attempt || attempt->provider != call.id || state.empty() || state != attempt->state)
        co_return identity::refusal(
            Code::invalid_token,
            "This sign-in was not started in this browser, or it has expired. Start again.");
    forget_attempt(call);
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
