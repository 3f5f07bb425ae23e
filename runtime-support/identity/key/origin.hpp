// Web origins: scheme, host and port, compared in one written form.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace svc::identity {

// Lower case, without a default port and without a trailing slash. Empty if `text` is not an
// http or https origin.
std::string normalised_origin(std::string_view text);

// True when `origin`, as a browser sent it, is one of `bound` (normalised; "*" is any).
bool origin_bound(std::string_view origin, std::span<const std::string> bound);
// True if `bound` names the origin; "*" does not count.
bool origin_named(std::string_view origin, std::span<const std::string> bound);

// True when `origin` is the site that the Host header names.
bool origin_of_host(std::string_view origin, std::string_view host_header);

}  // namespace svc::identity
