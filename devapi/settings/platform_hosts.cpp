#include "settings/platform_hosts.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "http/request/host.hpp"
#include "settings/origin.hpp"

namespace svc::devapi {
namespace {

// The host of an origin, or of a listening address.
std::string host_in(std::string origin) {
    if (const auto scheme = origin.find("://"); scheme != std::string::npos)
        origin.erase(0, scheme + 3);
    origin.resize(std::min(origin.find('/'), origin.size()));
    const auto bracket = origin.rfind(']');
    const auto colon = origin.rfind(':');
    if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket))
        origin.resize(colon);
    return base::lower(origin);
}

// `hosts`: "*.apps.example"; without a star, what is below it.
bool is_one_of(const std::string& hosts, const std::string& host) {
    const auto star = hosts.find('*');
    if (star == std::string::npos) return host.ends_with("." + hosts);
    const std::string before = hosts.substr(0, star), after = hosts.substr(star + 1);
    return host.size() > before.size() + after.size() && host.starts_with(before) &&
           host.ends_with(after);
}

}  // namespace

std::vector<std::string> platform_hosts(const Config& config) {
    std::vector<std::string> out;
    for (std::string host :
         {std::string("localhost"), base::lower(config.apps_domain), host_in(config.listen),
          host_in(config.public_origin), host_in(config.apps_origin)}) {
        if (host.starts_with("*.")) host.erase(0, 2);
        if (!host.empty() && std::ranges::find(out, host) == out.end()) out.push_back(host);
    }
    return out;
}

std::string public_host(const Config& config) { return host_in(config.public_url()); }

bool is_platforms(const Config& config, const std::string& host) {
    return host.empty() || host == kVerifyHost || http::is_address(host) ||
           std::ranges::find(config.platform_hosts, host) != config.platform_hosts.end();
}

bool is_given_out(const Config& config, const std::string& host) {
    return is_one_of(config.apps_domain, host) || is_one_of(host_in(config.apps_origin), host);
}

}  // namespace svc::devapi
