// Passkeys as a relying party: what a browser's answer must hold before an account is opened by it.
// The owner must have been verified by the authenticator (PIN, finger, face), so one use is two
// factors. The maker of an authenticator is not checked (attestation "none"). Source: Web
// Authentication Level 2, 7.1 and 7.2; signatures and keys by libfido2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.hpp"

namespace svc::auth::passkey {

// What a browser is to do with a passkey.
enum class Ceremony : std::uint8_t { create, get };

}  // namespace svc::auth::passkey

// The type of its client data.
template <>
struct svc::base::Words<svc::auth::passkey::Ceremony> {
    static constexpr std::array<std::string_view, 2> kAll = {"webauthn.create", "webauthn.get"};
};

namespace svc::auth::passkey {

// The request and its origin, as the browser reports them.
struct ClientData {
    std::string type;       // a word of Ceremony, if the browser did what it was asked
    std::string challenge;  // base64url
    std::string origin;
    bool cross_origin = false;  // from a frame in a page of another site
    std::string hash;           // SHA-256 of it as it was sent, raw
};
// `sent`: base64url. Nothing if it is malformed.
std::optional<ClientData> read_client_data(std::string_view sent);

// A key that signatures are checked with.
struct PublicKey {
    int algorithm = 0;  // COSE: -7 ES256, -8 EdDSA, -257 RS256
    std::string bytes;  // raw, as libfido2 reads it
};

struct NewPasskey {
    std::string credential;  // raw
    PublicKey key;
    std::uint32_t sign_count = 0;
};
// `data`: the authenticator's, raw. Nothing if it belongs to another site than `rp_id`, if the
// owner was not verified, or if the algorithm of its key is not supported. This function and those
// below throw std::runtime_error if libfido2 is not installed.
std::optional<NewPasskey> read_new_passkey(std::string_view data, const std::string& rp_id);

// The signature counter of a use. Nothing if the site, the verification of the owner or the
// signature is wrong.
std::optional<std::uint32_t> verified_use(const PublicKey& key, const ClientData& client,
                                          std::string_view data, std::string_view signature,
                                          const std::string& rp_id);

}  // namespace svc::auth::passkey
