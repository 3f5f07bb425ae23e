// Password hashes: argon2id, 19 MiB, two passes. Slow by intent: never on an io thread.
#pragma once

#include <string>

namespace svc::auth::password {

// The hash, with its salt and cost in it; empty if there is no memory for it.
std::string make_hash(const std::string& password);
// True if the password made this hash. An empty hash fits none, and costs as much to ask.
bool fits_hash(const std::string& password, const std::string& hash);

}  // namespace svc::auth::password
