#include "identity/key/origin.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::identity {
namespace {

// The index of the port's first digit, or npos. The colons of an IPv6 host are in brackets.
std::size_t port_start(std::string_view authority) {
    const auto colon = authority.rfind(':');
    if (colon == std::string_view::npos) return colon;
    return authority.find(']', colon) == std::string_view::npos ? colon + 1
                                                                : std::string_view::npos;
}

bool plain_authority(std::string_view authority) {
    return !authority.empty() && authority.find_first_of("/?#@ \t\\") == std::string_view::npos;
}

}  // namespace

std::string normalised_origin(std::string_view text) {
    std::string origin = base::lower(text);
    if (origin.ends_with('/')) origin.pop_back();
    const bool secure = origin.starts_with("https://");
    if (!secure && !origin.starts_with("http://")) return {};

    const std::size_t scheme = secure ? 8 : 7;
    const std::string_view authority = std::string_view(origin).substr(scheme);
    if (!plain_authority(authority)) return {};
    const auto digits = port_start(authority);
    if (digits == std::string_view::npos) return origin;

    const std::string_view port = authority.substr(digits);
    if (port.find_first_not_of("0123456789") != std::string_view::npos) return {};
    const bool spoken = !port.empty() && port != (secure ? "443" : "80");
    if (!spoken) origin.resize(scheme + digits - 1);
    return origin.size() > scheme ? origin : std::string();
}

bool origin_bound(std::string_view origin, std::span<const std::string> bound) {
    return std::ranges::find(bound, "*") != bound.end() || origin_named(origin, bound);
}

bool origin_named(std::string_view origin, std::span<const std::string> bound) {
    const std::string normal = normalised_origin(origin);
    return !normal.empty() && std::ranges::find(bound, normal) != bound.end();
}

bool origin_of_host(std::string_view origin, std::string_view host_header) {
    const std::string normal = normalised_origin(origin);
    if (normal.empty() || host_header.empty()) return false;
    std::string own(normal, 0, normal.find("://") + 3);
    own += host_header;
    return normalised_origin(own) == normal;
}

}  // namespace svc::identity
