// Values that work once (svc.token): 256 random bits, of which the database knows the SHA-256. One
// is used by one conditional update, which the statement that acts on it begins with: of any number
// of uses at a time, one succeeds. Source: OWASP ASVS 5.0, 6.4 and 6.5.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "base/words.hpp"
#include "identity/token.hpp"

namespace svc::auth::link {

inline constexpr std::string_view kLinkPrefix = "svc_t_";

// What a token of a link is for. Purposes of other tokens stand in their own statements.
enum class TokenPurpose : std::uint8_t { verify, reset, magic, invite, org_invite, oauth_code };

struct LinkToken {
    LinkToken();
    std::string value;  // what is mailed
    std::string hash;   // as svc.token has it: bytea text
};

// The hash of a value that somebody shows. MISSING_TOKEN if it is empty, INVALID_TOKEN where it
// cannot be a token of this app.
identity::Result<std::string> shown_token(std::string_view value);

// The row of svc.token that a value with hash $1 and purpose $2 may still use. A disabled account
// can neither sign in nor join anything, so its links stay valid until they expire.
inline constexpr std::string_view kUsableToken =
    "hash = $1::bytea and purpose = $2::text and used_at is null and expires_at > now()"
    " and account_id is not null and not exists (select from svc.account a"
    " where a.disabled and (a.id = token.account_id or a.email = token.email))";

// The begin of statements that use up that token: "with used as (update … returning account_id,
// email, data)".
std::string using_token(std::string_view rest);

// The reason why such a statement gave no row. TOKEN_USED: the token was used. INVALID_TOKEN: it is
// unknown, has another purpose or has expired, or its account is disabled (USER_NOT_FOUND for a
// magic link).
Task<identity::Refusal> why_not(const Context& in, const std::string& hash, TokenPurpose purpose);

}  // namespace svc::auth::link

// As svc.token has them.
template <>
struct svc::base::Words<svc::auth::link::TokenPurpose> {
    static constexpr std::array<std::string_view, 6> kAll = {"verify", "reset",      "magic",
                                                             "invite", "org_invite", "oauth_code"};
};
