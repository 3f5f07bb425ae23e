#include "auth/oidc/oidc_claims.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

#include "base/base64url.hpp"
#include "json/value.hpp"

namespace svc::auth::oidc {
namespace {

using JsonKind = json::Value::Kind;

constexpr std::int64_t kSkew = 120;  // seconds that clocks may differ
constexpr std::string_view kMicrosoft = "https://login.microsoftonline.com/";

std::optional<std::int64_t> time_claim(const json::Value& claims, std::string_view name) {
    const json::Value* claim = claims.find(name);
    if (!claim || !claim->is(JsonKind::number)) return std::nullopt;
    std::int64_t value = 0;
    const char* end = claim->text.data() + claim->text.size();
    const auto [stop, error] = std::from_chars(claim->text.data(), end, value);
    if (error != std::errc() || (stop != end && *stop != '.')) return std::nullopt;
    return value;
}

// Some providers write it as a text.
bool true_claim(const json::Value& claims, std::string_view name) {
    const json::Value* claim = claims.find(name);
    return claim && (claim->is(JsonKind::boolean) || claim->is(JsonKind::string)) &&
           claim->text == "true";
}

bool is_for(const json::Value& claims, const std::string& client) {
    const json::Value* audience = claims.find("aud");
    if (!audience) return false;
    if (audience->is(JsonKind::string)) return audience->text == client;
    bool named = false;
    for (const json::Value& one : audience->items) named |= one.text == client;
    const bool alone = audience->items.size() == 1;
    return named && (alone || claims.text_of("azp") == client);
}

bool is_issuer(const json::Value& claims, const Provider& provider, const Endpoints& endpoints) {
    const std::string issuer = claims.text_of("iss");
    if (provider.preset != Preset::microsoft) return issuer == endpoints.issuer;
    const std::string tenant = claims.text_of("tid");
    return !tenant.empty() && issuer == std::string(kMicrosoft) + tenant + "/v2.0";
}

}  // namespace

std::string read_id_token(std::string_view token, const Provider& provider,
                          const Endpoints& endpoints, std::string_view nonce, std::time_t now,
                          Person& person) {
    const auto first = token.find('.');
    const auto second = token.find('.', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos)
        return "it is not a signed token";
    const auto claims_text = base::base64url_decoded(token.substr(first + 1, second - first - 1));
    const json::Parsed parsed = json::parse(claims_text.value_or(""));
    const json::Value& claims = parsed.value;
    if (!parsed.error.empty() || !claims.is(JsonKind::object)) return "it has no claims";
    if (!is_issuer(claims, provider, endpoints)) return "it comes from another issuer";
    if (!is_for(claims, provider.client_id)) return "it is meant for another client";
    const auto until = time_claim(claims, "exp");
    const auto since = time_claim(claims, "iat");
    if (!until || *until + kSkew < now) return "it has expired";
    if (!since || *since - kSkew > now) return "it is dated in the future";
    if (claims.text_of("nonce") != nonce) return "its nonce does not match";
    person.issuer = claims.text_of("iss");
    person.subject = claims.text_of("sub");
    person.email = claims.text_of("email");
    person.name = claims.text_of("name");
    // Microsoft's addresses are what a tenant wrote, unless it says that it verified them.
    person.email_verified = provider.preset == Preset::microsoft
                                ? true_claim(claims, "xms_edov")
                                : true_claim(claims, "email_verified");
    return person.subject.empty() ? "it does not name a person" : std::string();
}

}  // namespace svc::auth::oidc
