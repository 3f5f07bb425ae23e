// Passwords of PostgreSQL's roles as PostgreSQL stores them (RFC 5803, RFC 7677).
#pragma once

#include <string>

namespace svc::devapi {

// The verifier for `alter role … password`: neither the server nor its log sees the password. It
// has one round. More rounds make guessing slow, but nobody guesses these passwords, which are keys
// of 32 random bytes, and every connection would pay for each round.
std::string scram_verifier(const std::string& password);

}  // namespace svc::devapi
