#include "base/url_host.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::base {
namespace {

constexpr std::string_view kAfterScheme = "://";

bool is_of_scheme(char c) { return is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; }

// libcurl reads "https:/evil.test/x://good.test" as an address of evil.test: the first colon must
// be the one that ends the scheme.
std::string_view without_scheme(std::string_view url) {
    const auto colon = std::min(url.find(':'), url.size());
    const std::string_view scheme = url.substr(0, colon);
    const bool whole = !scheme.empty() && std::ranges::all_of(scheme, is_of_scheme) &&
                       url.substr(colon).starts_with(kAfterScheme);
    return whole ? url.substr(colon + kAfterScheme.size()) : std::string_view();
}

}  // namespace

std::string host_of(std::string_view url) {
    if (url.find('\0') != std::string_view::npos) return {};  // libcurl reads as far as that
    // libcurl reads a backslash as a character of the account.
    std::string_view host = without_scheme(url);
    host = host.substr(0, host.find_first_of("/?#"));
    if (const auto account = host.rfind('@'); account != std::string_view::npos)
        host.remove_prefix(account + 1);
    if (!host.starts_with('[')) return lower(host.substr(0, host.find(':')));
    const auto end = host.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view rest = host.substr(end + 1);
    return rest.empty() || rest.starts_with(':') ? lower(host.substr(0, end + 1)) : std::string();
}

bool is_loopback_name(std::string_view host) {
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace svc::base
