// The providers of an app, and their addresses.
#include <algorithm>
#include <chrono>

#include "auth/oidc/oidc.hpp"
#include "auth/outside.hpp"
#include "base/app_paths.hpp"
#include "base/url_host.hpp"
#include "identity/command.hpp"
#include "identity/secret/project_secret.hpp"
#include "identity/secret/sealer.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::auth::oidc {
namespace {

// In the order of Preset. Their own documentation names these addresses.
constexpr std::string_view kIssuers[] = {
    "https://accounts.google.com",
    "https://login.microsoftonline.com/common/v2.0",
    "https://appleid.apple.com",
    "https://github.com",
};

constexpr std::string_view kSetProviders =
    "select id, label, issuer, client_id, client_secret, scopes::text from svc.provider"
    " where $1::text is null or id = $1::text order by id";

std::vector<std::string> words_of(std::string_view array) {
    std::vector<std::string> out;
    json::ArrayItem item;
    while (json::next_array_item(array, item)) out.push_back(item.text);
    return out;
}

class ProviderRows : public db::RowSink {
  public:
    explicit ProviderRows(const Context& in) : sealer_(in.settings.secret, "provider") {}
    void row(const Row& row) override {
        Provider provider;
        provider.id = row.text(0);
        provider.label = row.text(1);
        provider.issuer = row.text(2);
        provider.client_id = row.text(3);
        provider.client_secret = sealer_.unseal(row.text(4)).value_or("");
        std::string_view scopes = row.text(5);
        if (scopes.size() >= 2) scopes = scopes.substr(1, scopes.size() - 2);
        provider.scopes = words_of(scopes);
        providers.push_back(std::move(provider));
    }
    std::vector<Provider> providers;

  private:
    const identity::Sealer sealer_;
};

Provider from_contract(const SignInProvider& in) {
    Provider out;
    out.id = in.id;
    out.label = in.label;
    out.issuer = in.issuer;
    out.preset = base::read_word<Preset>(in.preset);
    out.client_id = in.client_id;
    for (const std::string_view scope : in.scopes) out.scopes.emplace_back(scope);
    if (out.preset) out.issuer = issuer_of(*out.preset);
    return out;
}

Task<identity::Result<std::vector<Provider>>> set_providers(const Context& in, db::Param id) {
    ProviderRows rows(in);
    const db::Param params[] = {id};
    const db::Command command = identity::command("svc_providers", kSetProviders, params, &rows);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(rows.providers);
}

identity::Refusal no_provider() {
    return identity::refusal(Code::not_found, "This app has no sign-in provider with this id.");
}

// GitHub speaks OAuth 2.0, without discovery and without an id token.
Endpoints github() {
    return {"https://github.com", "https://github.com/login/oauth/authorize",
            "https://github.com/login/oauth/access_token", "https://api.github.com/user"};
}

Endpoints named_by(const outgoing::Fetched& document) {
    if (!document.ok()) return {};
    const json::Parsed parsed = json::parse(document.body);
    return {parsed.value.text_of("issuer"), parsed.value.text_of("authorization_endpoint"),
            parsed.value.text_of("token_endpoint"), parsed.value.text_of("userinfo_endpoint")};
}

bool whole_endpoints(const outgoing::Fetched& document) {
    const Endpoints named = named_by(document);
    return !named.authorization.empty() && !named.token.empty();
}

identity::Result<Endpoints> read_discovery(const Provider& provider, const outgoing::Fetched& got) {
    const auto unusable = [&](const std::string& why) {
        log::write(log::Level::warning, "provider_unusable",
                   {{"provider", provider.id}, {"what", why}});
        auto refused = identity::refusal(Code::unavailable,
                                         "The provider cannot be reached right now. Try again.");
        refused.retry_after = 30;
        return refused;
    };
    if (!got.ok())
        return unusable(got.error.empty() ? "status " + std::to_string(got.status) : got.error);
    if (!whole_endpoints(got))
        return unusable("its discovery document does not name all endpoints");
    Endpoints out = named_by(got);
    // Microsoft's issuer serves all tenants; its id tokens name the issuer of the tenant.
    if (out.issuer != provider.issuer && provider.preset != Preset::microsoft)
        return unusable("its discovery document names another issuer: " + out.issuer);
    return out;
}

}  // namespace

std::string_view issuer_of(Preset preset) { return kIssuers[static_cast<std::size_t>(preset)]; }

Task<identity::Result<Provider>> find_provider(const Context& in, std::string_view id) {
    auto set = co_await set_providers(in, id);
    if (!set) co_return set.error();
    if (!set->empty()) co_return std::move(set->front());
    const auto own = std::ranges::find(in.app.auth.providers, id, &SignInProvider::id);
    if (own == in.app.auth.providers.end()) co_return no_provider();
    Provider provider = from_contract(*own);
    const std::string host = base::host_of(provider.issuer);
    auto secret =
        co_await identity::project_secret(in.system, in.settings.secret, own->secret, host);
    if (!secret) co_return secret.error();
    if (secret->value_or("").empty()) {
        log::write(log::Level::warning, "provider_without_secret",
                   {{"provider", provider.id}, {"secret", std::string(own->secret)}});
        co_return no_provider();
    }
    provider.client_secret = std::move(**secret);
    provider.secret_name = own->secret;
    co_return std::move(provider);
}

Task<identity::Result<std::vector<Provider>>> all_providers(const Context& in) {
    auto out = co_await set_providers(in, std::nullopt);
    if (!out) co_return out.error();
    for (const SignInProvider& own : in.app.auth.providers)
        if (std::ranges::find(*out, own.id, &Provider::id) == out->end())
            out->push_back(from_contract(own));
    co_return out;
}

Task<identity::Result<Endpoints>> endpoints_of(const Context& in, const Provider& provider) {
    if (provider.preset == Preset::github) co_return github();
    std::string url = provider.issuer;
    while (url.ends_with('/')) url.pop_back();
    url += "/.well-known/openid-configuration";
    const Outside::Document got = co_await in.outside.document(std::move(url), whole_endpoints);
    co_return read_discovery(provider, *got);
}

std::string redirect_uri(const Context& in, std::string_view provider) {
    std::string out = in.settings.origin;
    return out.append(base::kApiPath).append("/auth/oauth/").append(provider).append("/callback");
}

}  // namespace svc::auth::oidc
