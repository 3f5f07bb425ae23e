// The codes of findings that somebody asks for later on. All others stand only where they are
// found.
#pragma once

namespace svc::diag {

inline constexpr const char* kSecretMissing = "SECRET_MISSING";
inline constexpr const char* kExternalUnreachable = "EXTERNAL_UNREACHABLE";

}  // namespace svc::diag
