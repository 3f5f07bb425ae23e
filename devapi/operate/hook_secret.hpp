// The secret that an incoming webhook's calls are signed with, where svc made it, for developers.
// Blocking; `database` is an administrator connection, `secret` the app's (app_secret).
#pragma once

#include <optional>
#include <string>

#include "hook/signature.hpp"

namespace svc::devapi {

struct HookSecret {
    std::string named;  // the project's secret that the contract names instead; else empty
    hook::Scheme scheme = hook::Scheme::svc;
    std::string value;  // whsec_…; empty if svc has made none for it
};

// Nothing: there is no such webhook. A webhook without a secret gets one.
std::optional<HookSecret> hook_secret(const std::string& database, const std::string& secret,
                                      const std::string& name);

// Replaces a webhook's secret that svc made, and returns the new one. The previous one stays valid
// for a day.
std::string replace_hook_secret(const std::string& database, const std::string& secret,
                                const std::string& name);

}  // namespace svc::devapi
