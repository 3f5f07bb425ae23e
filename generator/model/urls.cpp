#include "model/urls.hpp"

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/known_mime.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

bool is_host_char(char c) { return base::is_alphanumeric(c) || c == '-' || c == '.'; }

// "example.com:8080" of "https://example.com:8080/v1".
std::string_view authority(std::string_view url) {
    const std::string_view rest = url.substr(url.find("//") + 2);
    return rest.substr(0, rest.find('/'));
}

bool is_port(std::string_view text) {
    return !text.empty() && text.size() <= 5 && text != "0" && is_integer(text) &&
           text.front() != '-' && std::stoul(std::string(text)) <= 65535;
}

bool is_host(std::string_view text) {
    return !text.empty() && text.size() <= 253 && text.front() != '.' && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), is_host_char) &&
           text.find("..") == std::string_view::npos;
}

bool is_subtype_char(char c) {
    return base::is_lower(c) || base::is_digit(c) ||
           std::string_view("!#$&^_.+-").find(c) != std::string_view::npos;
}

}  // namespace

bool is_address(std::string_view text) {
    if (!is_url(text) || text.size() > 2000) return false;
    if (text.find_first_of("?#@\\\"<>{}|^`") != std::string_view::npos) return false;
    const std::string_view host = authority(text);
    const std::size_t colon = host.find(':');
    return is_host(host.substr(0, colon)) &&
           (colon == std::string_view::npos || is_port(host.substr(colon + 1)));
}

bool is_safe_address(std::string_view text) {
    if (!is_address(text)) return false;
    const std::string_view host = authority(text);
    const std::string_view name = host.substr(0, host.find(':'));
    return text.starts_with("https:") || name == "localhost" || name == "127.0.0.1";
}

bool is_header_name(std::string_view text) {
    return !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), [](char c) {
        return base::is_alphanumeric(c) || c == '-' || c == '_';
    });
}

const std::vector<std::string>& known_mime() {
    static const std::vector<std::string> kKnown(std::begin(base::kKnownMime),
                                                 std::end(base::kKnownMime));
    return kKnown;
}

bool is_known_mime(std::string_view pattern) {
    const std::vector<std::string>& known = known_mime();
    if (std::find(known.begin(), known.end(), pattern) != known.end()) return true;
    const std::size_t slash = pattern.find('/');
    if (slash == std::string_view::npos) return false;
    const std::string_view subtype = pattern.substr(slash + 1);
    const std::string family = std::string(pattern.substr(0, slash)) + "/*";
    return !subtype.empty() && subtype.size() <= 100 &&
           std::all_of(subtype.begin(), subtype.end(), is_subtype_char) &&
           std::find(known.begin(), known.end(), family) != known.end();
}

}  // namespace svc::model
