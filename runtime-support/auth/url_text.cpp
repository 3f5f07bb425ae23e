#include "auth/url_text.hpp"

#include <algorithm>

namespace svc::auth {

bool stays_with(std::string_view origin, std::string_view place) {
    // Browsers read a backslash as a slash, and pass over line breaks and tabs.
    const auto odd = [](unsigned char c) { return c <= 0x20 || c == '\\' || c == 0x7f; };
    if (std::ranges::any_of(place, odd)) return false;
    if (place.starts_with('/')) return !place.starts_with("//");
    if (origin.empty() || !place.starts_with(origin)) return false;
    place.remove_prefix(origin.size());
    return place.empty() || place.front() == '/' || place.front() == '?' || place.front() == '#';
}

}  // namespace svc::auth
