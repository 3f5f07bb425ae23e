// Passwords of PostgreSQL's roles as PostgreSQL keeps them (RFC 5803, RFC 7677).
#pragma once

#include <string>

namespace svc::devapi {

// For `alter role … password`: the server never sees the password, nor does its log. Of one round:
// rounds make guessing slow, and these passwords, keys of 32 random bytes, are not guessed; each
// would be paid for at every connection.
std::string scram_verifier(const std::string& password);

}  // namespace svc::devapi
