// Which providers an app has, and where they are asked.
#include <algorithm>
#include <chrono>

#include "auth/oidc.hpp"
#include "auth/outside.hpp"
#include "identity/command.hpp"
#include "identity/sealer.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::auth {
namespace {

struct Preset {
    std::string_view id, issuer;
};
// Their own documentation names these addresses.
constexpr Preset kPresets[] = {
    {"google", "https://accounts.google.com"},
    {"microsoft", "https://login.microsoftonline.com/common/v2.0"},
    {"apple", "https://appleid.apple.com"},
    {"github", "https://github.com"},
};

constexpr std::string_view kSetProviders =
    "select id, label, issuer, client_id, client_secret, scopes::text from svc.provider"
    " where $1::text is null or id = $1::text order by id";

constexpr std::string_view kSecretOf = "select sealed from svc.secret where name = $1::text";

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
        provider.client_secret = sealer_.open(row.text(4)).value_or("");
        std::string_view scopes = row.text(5);
        if (scopes.size() >= 2) scopes = scopes.substr(1, scopes.size() - 2);
        provider.scopes = words_of(scopes);
        providers.push_back(std::move(provider));
    }
    std::vector<Provider> providers;

  private:
    const identity::Sealer sealer_;
};

class SealedText : public db::RowSink {
  public:
    void row(const Row& row) override { text = row.text(0); }
    std::string text;
};

Provider from_contract(const SignInProvider& in) {
    Provider out;
    out.id = in.id;
    out.label = in.label;
    out.issuer = in.issuer;
    out.preset = in.preset;
    out.client_id = in.client_id;
    for (const std::string_view scope : in.scopes) out.scopes.emplace_back(scope);
    for (const Preset& preset : kPresets)
        if (preset.id == out.preset) out.issuer = preset.issuer;
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

// Empty where the project has no secret of this name.
Task<identity::Result<std::string>> secret_of(const Context& in, std::string_view name) {
    SealedText sealed;
    const db::Param params[] = {name};
    const db::Command command = identity::command("svc_secret", kSecretOf, params, &sealed);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return identity::Sealer(in.settings.secret, "secret").open(sealed.text).value_or("");
}

identity::Refusal no_provider() {
    return identity::refusal(Code::not_found, "This app has no such sign-in provider.");
}

// GitHub speaks OAuth 2.0, without discovery and without an id token.
Endpoints github() {
    return {"https://github.com", "https://github.com/login/oauth/authorize",
            "https://github.com/login/oauth/access_token", "https://api.github.com/user"};
}

identity::Result<Endpoints> read_discovery(const Provider& provider, const outgoing::Fetched& got) {
    const auto unusable = [&](const std::string& why) {
        log::write(log::Level::warning, "provider_unusable",
                   {{"provider", provider.id}, {"what", why}});
        auto refused =
            identity::refusal(Code::unavailable, "The provider cannot be reached just now.");
        refused.retry_after = 5;
        return refused;
    };
    if (!got.ok())
        return unusable(got.error.empty() ? "status " + std::to_string(got.status) : got.error);
    const json::Parsed parsed = json::parse(got.body);
    Endpoints out;
    out.issuer = parsed.value.text_of("issuer");
    out.authorization = parsed.value.text_of("authorization_endpoint");
    out.token = parsed.value.text_of("token_endpoint");
    out.userinfo = parsed.value.text_of("userinfo_endpoint");
    // Microsoft's stands for each of its tenants; its id tokens name their own.
    if (out.issuer != provider.issuer && provider.preset != "microsoft")
        return unusable("its document names the issuer " + out.issuer);
    if (out.authorization.empty() || out.token.empty())
        return unusable("its document lacks endpoints");
    return out;
}

}  // namespace

Task<identity::Result<Provider>> find_provider(const Context& in, std::string_view id) {
    auto set = co_await set_providers(in, id);
    if (!set) co_return set.error();
    if (!set->empty()) co_return std::move(set->front());
    const auto own = std::ranges::find(in.app.auth.providers, id, &SignInProvider::id);
    if (own == in.app.auth.providers.end()) co_return no_provider();
    Provider provider = from_contract(*own);
    auto secret = co_await secret_of(in, own->secret);
    if (!secret) co_return secret.error();
    if (secret->empty()) {
        log::write(log::Level::warning, "provider_without_secret",
                   {{"provider", provider.id}, {"secret", std::string(own->secret)}});
        co_return no_provider();
    }
    provider.client_secret = std::move(*secret);
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
    if (provider.preset == "github") co_return github();
    if (auto known = in.outside.endpoints(provider.issuer)) co_return std::move(*known);
    outgoing::Fetch request;
    request.url = provider.issuer;
    while (request.url.ends_with('/')) request.url.pop_back();
    request.url += "/.well-known/openid-configuration";
    const outgoing::Fetched got = co_await in.outside.fetch(std::move(request));
    auto read = read_discovery(provider, got);
    if (read) in.outside.remember(provider.issuer, *read);
    co_return read;
}

std::string redirect_uri(const Context& in, std::string_view provider) {
    return in.settings.origin + "/__svc/auth/oauth/" + std::string(provider) + "/callback";
}

}  // namespace svc::auth
