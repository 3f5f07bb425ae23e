// Values that work once (svc.token): 256 random bits, of which the database knows the SHA-256. One
// is used by one conditional update, which the statement that acts on it begins with: of any number
// of uses at a time, one succeeds. Source: OWASP ASVS 5.0, 6.4 and 6.5.
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"
#include "identity/token.hpp"

namespace svc::auth {

inline constexpr std::string_view kLinkPrefix = "svc_t_";

struct LinkToken {
    LinkToken();
    std::string value;  // what is mailed
    std::string hash;   // as svc.token has it: bytea text
};

// The hash of a value that somebody shows. MISSING_TOKEN where it is empty, INVALID_TOKEN where it
// cannot be one of ours.
identity::Result<std::string> shown_token(std::string_view value);

// How statements begin that use up the token $1 of purpose $2: "with used as (update … returning
// account_id, email, data)".
std::string using_token(std::string_view rest);

// Why no row came of such a statement: TOKEN_USED, or INVALID_TOKEN where it is unknown, of another
// purpose, or over.
Task<identity::Refusal> why_not(const Context& in, const std::string& hash,
                                std::string_view purpose);

}  // namespace svc::auth
