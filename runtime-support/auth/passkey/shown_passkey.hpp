// The requests to browsers for passkeys, and their answers. Apps and the developer API both use
// them. Bodies are as PublicKeyCredential.toJSON() prints them, options as
// parseCreationOptionsFromJSON and parseRequestOptionsFromJSON read them. Source: Web
// Authentication Level 3, 5.1.8 to 5.1.10.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "auth/passkey/webauthn.hpp"
#include "identity/result.hpp"
#include "json/value.hpp"

namespace svc::auth::passkey {

struct ShownPasskey {
    ClientData client;
    std::string credential;          // base64url
    std::string authenticator_data;  // raw
    std::string signature;           // raw; of a use
    std::string user_handle;         // base64url; of a use, may be empty
    std::vector<std::string> transports;
    std::string name = {};  // the owner's name for the passkey
};

// PARAMS_INVALID where a member is missing; `credential` may be null.
identity::Result<ShownPasskey> read_credential(const json::Value* credential, Ceremony asked);

// Refuses with PARAMS_INVALID if the answer is not of the requested type.
identity::Result<void> check_type(const ClientData& client, Ceremony asked);

identity::Refusal stale_challenge();
// Refuses with UNAVAILABLE and logs that libfido2 is not installed.
identity::Refusal no_libfido(const std::exception& error);

// The passkey that a browser is to create.
struct CreationRequest {
    std::string_view challenge, rp_id, rp_name;
    std::string_view user_id;  // raw
    std::string_view user_name, display_name;
    std::string_view known;  // existing passkeys as JSON descriptors, separated by commas; the
                             // browser does not create them again
};
std::string creation_options(const CreationRequest& wanted);

// The options of a sign-in. `allowed`: descriptors as above, empty for any passkey.
std::string request_options(std::string_view challenge, std::string_view rp_id,
                            std::string_view allowed);

}  // namespace svc::auth::passkey
