// Exchanges a code for a person.
#include <ctime>

#include "auth/oidc/oidc.hpp"
#include "auth/oidc/oidc_claims.hpp"
#include "auth/outside.hpp"
#include "base/percent.hpp"
#include "base/url_host.hpp"
#include "identity/secret/project_secret.hpp"
#include "json/value.hpp"
#include "log/log.hpp"

namespace svc::auth::oidc {
namespace {

using ValueKind = json::Value::Kind;

bool is_true(const json::Value& object, std::string_view name) {
    const json::Value* member = object.find(name);
    return member && member->text == "true";
}

identity::Refusal not_held(const Provider& provider, const std::string& why) {
    log::write(log::Level::warning, "provider_sign_in_refused",
               {{"provider", provider.id}, {"what", why}});
    return identity::refusal(
        Code::invalid_token,
        "The provider's answer could not be verified. Start the sign-in again.");
}

outgoing::Fetch token_request(const Context& in, const Provider& provider,
                              const Endpoints& endpoints, const Attempt& attempt,
                              const std::string& code) {
    outgoing::Fetch request;
    request.method = "POST";
    request.url = endpoints.token;
    request.headers = {"Accept: application/json",
                       "Content-Type: application/x-www-form-urlencoded"};
    request.body = "grant_type=authorization_code&code=" + base::percent_encoded(code) +
                   "&redirect_uri=" + base::percent_encoded(redirect_uri(in, provider.id)) +
                   "&code_verifier=" + attempt.verifier;
    // Apple and GitHub take the secret in the body alone.
    if (provider.preset == Preset::apple || provider.preset == Preset::github) {
        request.body += "&client_id=" + base::percent_encoded(provider.client_id) +
                        "&client_secret=" + base::percent_encoded(provider.client_secret);
    } else {
        request.user = base::percent_encoded(provider.client_id);
        request.password = base::percent_encoded(provider.client_secret);
    }
    return request;
}

outgoing::Fetch with_token(const std::string& url, const std::string& access_token) {
    outgoing::Fetch request;
    request.url = url;
    request.headers = {"Accept: application/json", "Authorization: Bearer " + access_token};
    return request;
}

// Adds what the id token left out: some providers send the address only at the userinfo endpoint.
Task<> complete_person(const Context& in, const Endpoints& endpoints,
                       const std::string& access_token, Person& person) {
    if (!person.email.empty() || endpoints.userinfo.empty() || access_token.empty()) co_return;
    const outgoing::Fetched got =
        co_await in.outside.fetch(with_token(endpoints.userinfo, access_token));
    if (!got.ok()) co_return;
    const json::Parsed parsed = json::parse(got.body);
    if (parsed.value.text_of("sub") != person.subject) co_return;
    person.email = parsed.value.text_of("email");
    person.email_verified = is_true(parsed.value, "email_verified");
    if (person.name.empty()) person.name = parsed.value.text_of("name");
}

// GitHub's primary address that it verified.
void take_github_email(const json::Value& emails, Person& person) {
    for (const json::Value& one : emails.items) {
        if (!is_true(one, "primary") || !is_true(one, "verified")) continue;
        person.email = one.text_of("email");
        person.email_verified = true;
    }
}

Task<identity::Result<Person>> github_person(const Context& in, const Provider& provider,
                                             const Endpoints& endpoints,
                                             const std::string& access_token) {
    const outgoing::Fetched user =
        co_await in.outside.fetch(with_token(endpoints.userinfo, access_token));
    const outgoing::Fetched emails =
        co_await in.outside.fetch(with_token(endpoints.userinfo + "/emails", access_token));
    if (!user.ok() || !emails.ok())
        co_return not_held(provider, "it does not say who the person is");
    const json::Parsed parsed = json::parse(user.body);
    const json::Value* id = parsed.value.find("id");
    if (!id || !id->is(ValueKind::number))
        co_return not_held(provider, "it does not name a person");
    Person person;
    person.issuer = endpoints.issuer;
    person.subject = id->text;
    person.name = parsed.value.text_of("name");
    take_github_email(json::parse(emails.body).value, person);
    co_return std::move(person);
}

// The document below the issuer's address names the token endpoint, and others may write below an
// address of the same host: another host is allowed like the issuer's own.
Task<identity::Result<bool>> may_have_secret(const Context& in, const Provider& provider,
                                             const std::string& endpoint) {
    const std::string host = base::host_of(endpoint);
    if (provider.preset || provider.secret_name.empty()) co_return true;
    if (host == base::host_of(provider.issuer)) co_return true;
    const auto secret = co_await identity::project_secret(in.system, in.settings.secret,
                                                          provider.secret_name, host);
    if (!secret) co_return secret.error();
    co_return secret->has_value();
}

}  // namespace

Task<identity::Result<Person>> exchange_code(const Context& in, const Provider& provider,
                                             const Endpoints& endpoints, const Attempt& attempt,
                                             std::string code) {
    const auto allowed = co_await may_have_secret(in, provider, endpoints.token);
    if (!allowed) co_return allowed.error();
    if (!*allowed)
        co_return not_held(provider, "the secret " + provider.secret_name +
                                         " may not be sent to the token endpoint " +
                                         endpoints.token);
    const outgoing::Fetched got =
        co_await in.outside.fetch(token_request(in, provider, endpoints, attempt, code));
    if (!got.ok())
        co_return not_held(
            provider, got.error.empty()
                          ? "its token endpoint answered with status " + std::to_string(got.status)
                          : got.error);
    const json::Parsed parsed = json::parse(got.body);
    const std::string access_token = parsed.value.text_of("access_token");
    if (provider.preset == Preset::github)
        co_return co_await github_person(in, provider, endpoints, access_token);
    Person person;
    const std::string wrong = read_id_token(parsed.value.text_of("id_token"), provider, endpoints,
                                            attempt.nonce, std::time(nullptr), person);
    if (!wrong.empty()) co_return not_held(provider, "its id token: " + wrong);
    co_await complete_person(in, endpoints, access_token, person);
    co_return std::move(person);
}

}  // namespace svc::auth::oidc
