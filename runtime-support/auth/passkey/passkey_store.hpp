// Passkeys in svc.passkey, and the challenges that they answer (svc.token: 256 random bits, of
// which the database has the SHA-256; each can be taken once, even if the check then fails).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/context.hpp"
#include "auth/json_rows.hpp"
#include "auth/passkey/webauthn.hpp"
#include "identity/user/account.hpp"

namespace svc::auth::passkey {

// A passkey with its account, for a sign-in.
struct KnownPasskey {
    std::string id;
    PublicKey key;
    identity::Account account;
};

enum class PasskeyEnd : std::uint8_t { gone, unknown, needed };

class PasskeyStore {
  public:
    explicit PasskeyStore(const Context& in) : in_(in) {}

    // A challenge for this account, valid for five minutes. For a sign-in, whose account is not
    // known yet, the id is empty.
    Task<identity::Result<std::string>> challenge(std::string_view account_id);
    // False if this account got no such challenge, or if the challenge has expired.
    Task<identity::Result<bool>> take_challenge(std::string_view challenge,
                                                std::string_view account_id);

    // {"type":"public-key","id":…,"transports":[…]} for each passkey of the account.
    Task<identity::Result<JsonRows>> descriptors(std::string_view account_id);
    Task<identity::Result<JsonRows>> list(std::string_view account_id);
    // Returns the passkey as `list` does, and marks the caller's session as having a second factor.
    // CONFLICT if the passkey exists already, or if the account has twenty.
    Task<identity::Result<JsonRows>> add(const Call& call, const NewPasskey& made,
                                         const std::vector<std::string>& transports,
                                         std::string_view name);
    // `needed`: the account's persona must have a second factor, and this is its last.
    Task<identity::Result<PasskeyEnd>> remove(const Call& call, bool must_have_factor);

    // `credential`: base64url.
    Task<identity::Result<std::optional<KnownPasskey>>> find(std::string_view credential);
    // False if the counter did not grow: the authenticator was copied.
    Task<identity::Result<bool>> use(const KnownPasskey& passkey, std::uint32_t sign_count);

  private:
    const Context& in_;
};

}  // namespace svc::auth::passkey
