// Hosts that are the platform's own, so that no project has them. Hosts are in lower case here.
#pragma once

#include <string_view>

#include "settings/config.hpp"

namespace svc::devapi {

// The value of Config::platform_hosts, from the settings that name a host.
std::vector<std::string> platform_hosts(const Config& config);
// The host of Config::public_url().
std::string public_host(const Config& config);

// Where the platform itself answers; every address too. HTTP/1.0 needs no host: who connects knows
// where to.
bool is_platforms(const Config& config, const std::string& host);

// Below the apps domain or where SVC_APPS_ORIGIN puts apps: the platform gives these out itself, by
// subdomain.
bool is_given_out(const Config& config, const std::string& host);

}  // namespace svc::devapi
