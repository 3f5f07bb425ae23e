// The checks of a passkey's answer that need no account.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "auth/passkey/shown_passkey.hpp"

namespace svc::auth::passkey {

// Refuses with NOT_FOUND if the app's contract has no passkeys or its origin is not known.
identity::Result<void> check_passkeys(const Call& call);

// The host of the app's origin: the site that a passkey belongs to.
std::string rp_id(const Context& in);

// {credential: <PublicKeyCredential as JSON>, name?}. PARAMS_INVALID where a member is missing.
identity::Result<ShownPasskey> read_shown(const Call& call, Ceremony asked);

// Refuses with ORIGIN_NOT_ALLOWED unless the page is at the app's origin, or at an origin of the
// same site that the key names. Refuses with PARAMS_INVALID if the answer has another type.
identity::Result<void> check_client(const Call& call, const ClientData& client, Ceremony asked);

}  // namespace svc::auth::passkey
