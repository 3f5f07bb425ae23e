// Passkeys of builders. A use of one is two factors: its owner was verified by the authenticator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "auth/passkey/webauthn.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

struct PasskeyRecord {
    std::string id, name, created_at;
    std::optional<std::string> last_used_at;
};
std::vector<PasskeyRecord> list_passkeys(Store& store, const std::string& user_id);

// {type, id, transports} of each as JSON, with commas between.
std::string passkey_descriptors(Store& store, const std::string& user_id);

inline constexpr int kMostPasskeys = 20;

struct PasskeyRequest {
    std::string user_id, session_id, name;
    auth::passkey::NewPasskey made;
    std::vector<std::string> transports;
};
// Ends the account's other sessions, as every change of factors does. None if the passkey is
// already registered, or if the account has kMostPasskeys.
std::optional<PasskeyRecord> add_passkey(Store& store, const PasskeyRequest& wanted);

struct KnownKey {
    std::string id;
    auth::passkey::PublicKey key;
};
// Finds only passkeys of this account.
std::optional<KnownKey> find_passkey(Store& store, const std::string& user_id,
                                     const std::string& credential);
// Returns false if the counter is not above the last one, because the passkey may be a copy.
bool use_passkey(Store& store, const std::string& id, std::uint32_t sign_count);

bool remove_passkey(Store& store, const std::string& user_id, const std::string& session_id,
                    const std::string& id);

}  // namespace svc::devapi
