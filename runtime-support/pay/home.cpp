#include <algorithm>

#include "base/app_paths.hpp"
#include "base/ascii.hpp"
#include "base/url_host.hpp"
#include "http/request/path.hpp"
#include "identity/secret/project_secret.hpp"
#include "pay/pay_context.hpp"

namespace svc::pay {
namespace {

constexpr std::size_t kLongest = 2048;  // bytes of an address

// True for an address that browsers and providers read alike: no account before the host, a port of
// digits, no backslash, no space.
bool is_plain_address(std::string_view url) {
    const auto fits = [](char c) { return c > ' ' && c != '\\' && c != 127; };
    if (url.size() > kLongest || !std::ranges::all_of(url, fits)) return false;
    const auto scheme = url.find("://");
    if (!url.starts_with("https://") && !url.starts_with("http://")) return false;
    url.remove_prefix(scheme + 3);
    const std::string_view place = url.substr(0, url.find_first_of("/?#"));
    const auto colon = place.find(':', place.starts_with('[') ? place.find(']') : 0);
    const std::string_view port = colon == std::string_view::npos ? "" : place.substr(colon + 1);
    return place.find('@') == std::string_view::npos && port.size() <= 5 &&
           std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_below(std::string_view prefix, std::string_view url) {
    if (prefix.empty() || !url.starts_with(prefix)) return false;
    const std::string_view rest = url.substr(prefix.size());
    return rest.empty() || rest.front() == '/' || rest.front() == '?' || rest.front() == '#';
}

// Empty where the address has none: a slash in its query or its fragment begins no path.
std::string_view path_of(std::string_view url) {
    url.remove_prefix(url.find("://") + 3);
    url = url.substr(0, url.find_first_of("?#"));
    const auto slash = url.find('/');
    return slash == std::string_view::npos ? std::string_view() : url.substr(slash);
}

// A browser leaves the folder that a path begins with where a segment of it is "..".
bool is_preview(const Home& home, std::string_view path) {
    return !home.project.empty() && http::path_fault(path).empty() &&
           is_below(std::string(base::kPreviewPath) + home.project, path);
}

}  // namespace

bool is_page_of(const Home& home, std::string_view asked, std::string_view url) {
    if (!is_plain_address(url)) return false;
    const std::string host = base::host_of(url);
    if (host.empty()) return false;
    if (is_below(home.origin, url)) return true;
    const auto same = [&host](const std::string& own) { return base::iequals(own, host); };
    if (std::ranges::any_of(home.hosts, same)) return true;
    if (!base::iequals(asked, host)) return false;
    // A host that others share, too: the preview's own path there.
    if (!home.hosts.empty()) return is_preview(home, path_of(url));
    return home.origin.empty();
}

}  // namespace svc::pay
