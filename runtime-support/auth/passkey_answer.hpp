// What a browser sends of a passkey, and what of it is checked before any account is looked at.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"
#include "auth/webauthn.hpp"

namespace svc::auth {

struct ShownPasskey {
    ClientData client;
    std::string credential;          // base64url
    std::string authenticator_data;  // raw
    std::string signature;           // raw; of a use
    std::string user_handle;         // base64url; of a use, may be empty
    std::vector<std::string> transports;
    std::string name;  // that its owner gives it
};

// NOT_FOUND where the app's contract has no passkeys, or its origin is not known.
identity::Result<void> check_passkeys(const Call& call);

// The host of the app's origin: the site that a passkey belongs to.
std::string rp_id(const Context& in);

// {credential: <PublicKeyCredential as JSON>, name?}. PARAMS_INVALID where a member is missing.
identity::Result<ShownPasskey> read_shown(const Call& call, std::string_view type);

// ORIGIN_NOT_ALLOWED where the page is none of the app's: neither at its origin nor at one that the
// key names below the same site. PARAMS_INVALID where the browser did something else.
identity::Result<void> check_client(const Call& call, const ClientData& client,
                                    std::string_view type);

identity::Refusal stale_challenge();
// UNAVAILABLE, with a word to the operator: libfido2 is not installed.
identity::Refusal no_libfido(const std::exception& error);

}  // namespace svc::auth
