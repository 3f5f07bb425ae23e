// OpenID Connect as a relying party: discovery, the authorization code flow with PKCE, and the
// person who signed in. Source: OpenID Connect Core 1.0 and Discovery 1.0, RFC 7636, RFC 9207, RFC
// 9700.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"
#include "base/words.hpp"

namespace svc::auth::oidc {

// Providers that a contract names instead of an issuer.
enum class Preset : std::uint8_t { google, microsoft, apple, github };

// A provider as it is set: by the contract or by an administrator, who comes first.
struct Provider {
    std::string id, label;
    std::string issuer;  // address below which /.well-known/openid-configuration answers
    std::optional<Preset> preset;
    std::string client_id, client_secret;
    std::string secret_name;  // of the project's secret that it is; empty: an administrator set it
    std::vector<std::string> scopes;
};

// The addresses at which the provider is asked.
struct Endpoints {
    std::string issuer, authorization, token, userinfo;
};

// The person whom the provider names.
struct Person {
    std::string issuer, subject, email, name;
    bool email_verified = false;
};

// Such as https://accounts.google.com.
std::string_view issuer_of(Preset preset);

// NOT_FOUND if there is none of this id, or its secret is not set.
Task<identity::Result<Provider>> find_provider(const Context& in, std::string_view id);
Task<identity::Result<std::vector<Provider>>> all_providers(const Context& in);

// The endpoints in the provider's discovery document (Outside::document). UNAVAILABLE if it does
// not answer, or names another issuer.
Task<identity::Result<Endpoints>> endpoints_of(const Context& in, const Provider& provider);

// The data of a sign-in from its start to its callback.
struct Attempt {
    std::string provider, state, nonce, verifier, return_to;
    std::int64_t until = 0;  // Unix time
};

// Exchanges the code for the person. INVALID_TOKEN if the provider's token is not valid.
Task<identity::Result<Person>> exchange_code(const Context& in, const Provider& provider,
                                             const Endpoints& endpoints, const Attempt& attempt,
                                             std::string code);

// <origin>/__svc/auth/oauth/<id>/callback: the very text that the provider knows.
std::string redirect_uri(const Context& in, std::string_view provider);

}  // namespace svc::auth::oidc

template <>
struct svc::base::Words<svc::auth::oidc::Preset> {
    static constexpr std::array<std::string_view, 4> kAll = {"google", "microsoft", "apple",
                                                             "github"};
};
