// Password hashes: argon2id, 19 MiB, two passes. Slow by design, so never call this on an io
// thread.
#pragma once

#include <string>

namespace svc::auth::password {

// The hash, which contains its salt and cost. Empty if there is not enough memory.
std::string make_hash(const std::string& password);
// True if the password made this hash. An empty hash matches no password and takes the same time.
bool fits_hash(const std::string& password, const std::string& hash);

}  // namespace svc::auth::password
