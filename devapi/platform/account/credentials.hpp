// The credentials of builders: sessions (signed, 12 hours) and personal access tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/account/accounts.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// The caller of a request.
struct Caller {
    enum class Kind { nobody, session, token } kind = Kind::nobody;
    std::string user_id, email;
    std::string credential_id;  // of the session or token
    std::string workspace_id;   // a token is pinned to it; empty for sessions
    std::vector<std::string> scopes;
    // The scopes that a token was made with; empty unless its owner's role has taken some away.
    std::vector<std::string> made_for = {};
    // Session: a second factor was shown in it. Token: its owner has a second factor.
    bool second_factor = false;

    bool has(std::string_view scope) const;
};

// A viewer may only read, whatever the scopes of the token or session are.
void hold_to_role(Caller& caller, Role role);

// JSON Web Tokens, HS256. A session's token names its row; it counts only while that row is there.
class SessionSigner {
  public:
    explicit SessionSigner(std::string key) : key_(std::move(key)) {}
    std::string sign(const std::string& user_id, const std::string& session_id, std::int64_t issued,
                     std::int64_t expires) const;
    // The session's id, if the signature and the time are valid.
    std::optional<std::string> verify(std::string_view token, std::int64_t now) const;

  private:
    std::string key_;
};

struct SignInSession {
    std::string token, expires_at;
};
// None if the account has a second factor that was not shown.
std::optional<SignInSession> open_session(Store& store, const SessionSigner& signer,
                                          const std::string& user_id, bool second_factor);
void end_session(Store& store, const std::string& session_id);

struct TokenRecord {
    std::string id, name, workspace_id, prefix;
    std::vector<std::string> scopes;
    std::optional<std::string> expires_at, last_used_at;
    std::string created_at;
};
struct NewToken {
    std::string user_id, workspace_id, name;
    std::vector<std::string> scopes;
    int expires_in_days = 0;  // 0: never
};
struct MintedToken {
    std::string value;  // svc_pat_…, kept nowhere
    TokenRecord record;
};
MintedToken mint_token(Store& store, const NewToken& wanted);
// The caller's tokens that are not revoked, newest first.
std::vector<TokenRecord> list_tokens(Store& store, const std::string& user_id);
// Revokes a token of the caller; only of the pinned workspace if the caller has one.
bool revoke_token(Store& store, const Caller& caller, const std::string& token_id);

// The caller of this bearer value; kind nobody if it is unknown, expired, revoked or ended.
Caller authenticate(Store& store, const SessionSigner& signer, std::string_view bearer);

}  // namespace svc::devapi
