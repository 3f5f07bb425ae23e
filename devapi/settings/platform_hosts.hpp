// Hosts that are the platform's own, so that no project has them. Hosts are in lower case here.
#pragma once

#include <string_view>

#include "settings/config.hpp"

namespace svc::devapi {

// The value of Config::platform_hosts, from the settings that name a host.
std::vector<std::string> platform_hosts(const Config& config);
// The host of Config::public_url().
std::string public_host(const Config& config);

// True for a host at which the platform itself answers; every IP address is one too, and a missing
// host of HTTP/1.0.
bool is_platforms(const Config& config, const std::string& host);

// True for a host below the apps domain or SVC_APPS_ORIGIN. The platform assigns these itself, by
// subdomain.
bool is_given_out(const Config& config, const std::string& host);

}  // namespace svc::devapi
