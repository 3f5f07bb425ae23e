// Names below which anybody can register, so no project can own them. Source: publicsuffix.org, as
// Debian has it.
#pragma once

#include <string>

namespace svc::devapi {

// co.uk, github.io, com; `host` in lower case.
bool is_public_suffix(const std::string& host);

}  // namespace svc::devapi
