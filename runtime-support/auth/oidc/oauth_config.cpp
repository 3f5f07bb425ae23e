// Providers that an administrator sets, beside the contract's or in place of one of them.
#include <algorithm>

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/oidc/oidc.hpp"
#include "base/url_host.hpp"
#include "identity/command.hpp"
#include "identity/secret/sealer.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"
#include "outgoing/fetch.hpp"

namespace svc::auth::oidc {
namespace {

constexpr std::string_view kProviderSet =
    "insert into svc.provider (id, label, issuer, client_id, client_secret, scopes)"
    " values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text[])"
    " on conflict (id) do update set label = excluded.label, issuer = excluded.issuer,"
    " client_id = excluded.client_id, client_secret = excluded.client_secret,"
    " scopes = excluded.scopes, updated_at = now()";

constexpr std::string_view kProviderDrop = "delete from svc.provider where id = $1::text";

identity::Refusal wrong_member(const char* member, std::string message) {
    return identity::refusal(Code::params_invalid, std::move(message), member);
}

bool is_id(std::string_view text) {
    return !text.empty() && text.size() <= 48 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") ==
               std::string_view::npos &&
           text != "providers" && text != "config" && text != "complete";
}

bool is_issuer_address(const std::string& text) {
    if (text.find_first_of(" \t\r\n?#\\") != std::string::npos || text.size() > 500) return false;
    const std::string host = base::host_of(text);
    if (host.empty()) return false;
    return text.starts_with("https://") ||
           (text.starts_with("http://") && base::is_loopback_name(host));
}

identity::Result<Provider> read_provider(std::string_view text) {
    const json::Parsed parsed = json::parse(text);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object) || parsed.nul)
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    Provider out;
    out.id = parsed.value.text_of("id");
    out.label = parsed.value.text_of("label");
    out.issuer = parsed.value.text_of("issuer");
    out.client_id = parsed.value.text_of("clientId");
    out.client_secret = parsed.value.text_of("clientSecret");
    if (!is_id(out.id))
        return wrong_member("id", "The id must have 1 to 48 characters out of a-z, 0-9, _ and -.");
    if (!is_issuer_address(out.issuer))
        return wrong_member("issuer", "The issuer must be an https address.");
    if (out.client_id.empty())
        return wrong_member("clientId", "The client's id is missing. Send \"clientId\".");
    if (out.client_secret.empty())
        return wrong_member("clientSecret",
                            "The client's secret is missing. Send \"clientSecret\".");
    if (const json::Value* scopes = parsed.value.find("scopes"))
        for (const json::Value& scope : scopes->items) out.scopes.push_back(scope.text);
    if (out.scopes.empty()) out.scopes = {"openid", "email", "profile"};
    if (std::ranges::find(out.scopes, "openid") == out.scopes.end())
        return wrong_member("scopes", "The scopes must include \"openid\".");
    if (out.label.empty()) out.label = out.id;
    return out;
}

Task<Done> set_provider(Call& call) {
    const auto provider = read_provider(call.exchange.body());
    if (!provider) co_return provider.error();
    const std::string sealed =
        identity::Sealer(call.in.settings.secret, "provider").seal(provider->client_secret);
    const std::string scopes = json::array_literal(provider->scopes);
    const db::Param params[] = {provider->id,        provider->label, provider->issuer,
                                provider->client_id, sealed,          scopes};
    const AuditRow noted(
        call, {.event = "provider_set", .actor_id = call.caller->user->id, .detail = provider->id});
    const db::Command commands[] = {identity::command("svc_provider_set", kProviderSet, params),
                                    noted.command()};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    answer_ok(call.exchange);
    co_return Done();
}

Task<Done> drop_provider(Call& call) {
    const db::Param params[] = {call.id};
    const AuditRow noted(
        call, {.event = "provider_removed", .actor_id = call.caller->user->id, .detail = call.id});
    const db::Command commands[] = {noted.command(),
                                    identity::command("svc_provider_drop", kProviderDrop, params)};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (outcome.rows == 0)
        co_return identity::refusal(Code::not_found,
                                    "No provider with this id was added through this API.");
    answer_ok(call.exchange);
    co_return Done();
}

constexpr AuthRoute kOauthConfigRoutes[] = {
    {Method::post, "/auth/oauth/config", Need::admin, set_provider},
    {Method::remove, "/auth/oauth/config/<id>", Need::admin, drop_provider},
};

}  // namespace

std::span<const AuthRoute> config_routes() { return kOauthConfigRoutes; }

}  // namespace svc::auth::oidc
