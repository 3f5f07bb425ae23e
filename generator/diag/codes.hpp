// The codes of findings that other code tests for. All other codes are written only where they are
// reported.
#pragma once

namespace svc::diag {

inline constexpr const char* kSecretMissing = "SECRET_MISSING";
inline constexpr const char* kExternalUnreachable = "EXTERNAL_UNREACHABLE";

}  // namespace svc::diag
